// Dynamoose, the way its guide uses it: it makes the table and its indexes from a schema, and keeps
// the table in step with it.
// Usage: node dynamoose_test.js ENDPOINT
import assert from 'node:assert/strict';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import dynamoose from 'dynamoose';
import { dropTable, runTests } from './mapper_support.js';

const ddb = new dynamoose.aws.ddb.DynamoDB({ endpoint: process.argv[2], maxAttempts: 1 });
dynamoose.aws.ddb.set(ddb);

// The operations that Dynamoose asked for, in order.
const asked = [];
ddb.middlewareStack.add((next, context) => (args) => {
  asked.push(context.commandName.replace(/Command$/, ''));
  return next(args);
}, { step: 'initialize' });

const { Condition, Schema, Table, model, transaction } = dynamoose;

const postAttributes = {
  author: { type: String, hashKey: true },
  postId: { type: String, rangeKey: true },
  title: { type: String, required: true },
  state: {
    type: String,
    enum: ['draft', 'live'],
    default: 'draft',
    index: { name: 'byState', type: 'global', rangeKey: 'published' },
  },
  published: Number,
  words: { type: Number, index: { name: 'byWords', type: 'local' } },
  views: { type: Number, default: 0 },
  tags: { type: Set, schema: [String] },
  links: { type: Array, schema: [String] },
  source: { type: Object, schema: { site: String, rank: Number } },
  checkedOn: Date,
};

const tableOptions = {
  throughput: 'ON_DEMAND',
  waitForActive: { enabled: true, check: { frequency: 20, timeout: 30000 } },
  update: true,
  initialize: false,
  tags: { team: 'blog' },
};

const streamOptions = { enabled: true, type: 'NEW_IMAGE' };
const Post = model('Post', new Schema(postAttributes));
const blog = new Table('Blog', [Post], { ...tableOptions, streamOptions });

const makePost = (n) => ({
  author: ['ann', 'bob'][n % 2],
  postId: `2026-${String(n).padStart(2, '0')}`,
  title: `Post ${n}`,
  state: n < 20 ? 'live' : 'draft',
  published: 1000 + n,
  words: 500 - n,
});

const numbers = (posts) => posts.map((post) => post.published - 1000);
const evens = (from, to) => Array.from({ length: (to - from) / 2 + 1 }, (_, i) => from + 2 * i);
const key = (n) => ({ author: makePost(n).author, postId: makePost(n).postId });

const tests = {
  async 'the table is made from the schema, and left alone while it is as the schema says'() {
    await blog.initialize();
    const { Table: table } = await ddb.describeTable({ TableName: 'Blog' });
    assert.equal(table.TableStatus, 'ACTIVE');
    assert.deepEqual(table.KeySchema.map((part) => part.AttributeName), ['author', 'postId']);
    assert.deepEqual(table.GlobalSecondaryIndexes.map((index) => index.IndexName), ['byState']);
    assert.deepEqual(table.LocalSecondaryIndexes.map((index) => index.IndexName), ['byWords']);
    assert.equal(table.StreamSpecification.StreamViewType, 'NEW_IMAGE');
    const { Tags } = await ddb.listTagsOfResource({ ResourceArn: table.TableArn });
    assert.deepEqual(Tags, [{ Key: 'team', Value: 'blog' }]);

    asked.length = 0;
    const Same = model('SamePost', new Schema(postAttributes));
    await new Table('Blog', [Same], { ...tableOptions, streamOptions }).initialize();
    assert.deepEqual([...new Set(asked)].sort(), ['DescribeTable', 'ListTagsOfResource']);
  },

  async 'an item is made once'() {
    const checkedOn = new Date(1767225600123);
    const post = {
      ...makePost(0), tags: new Set(['a', 'b']), links: ['x', 'y'], source: { site: 's', rank: 1 },
      checkedOn,
    };
    await Post.create(post);
    await assert.rejects(Post.create({ ...post, title: 'Other' }), ConditionalCheckFailedException);
    const got = await Post.get(key(0), { consistent: true });
    assert.deepEqual({ ...got }, { ...post, views: 0 });
    assert.equal(await Post.get({ author: 'nobody', postId: '0' }), undefined);
  },

  async 'an item is saved, changed and saved again'() {
    const post = new Post(makePost(1));
    await post.save({ overwrite: false });
    post.views = 7;
    await post.save();
    assert.equal((await Post.get(key(1))).views, 7);
    await post.delete();
    assert.equal(await Post.get(key(1)), undefined);
  },

  async 'a batch puts, gets and deletes'() {
    const all = Array.from({ length: 25 }, (_, n) => makePost(n));
    assert.deepEqual((await Post.batchPut(all)).unprocessedItems, []);
    const got = await Post.batchGet([...all.map((_, n) => key(n)), { author: 'ann', postId: '?' }]);
    assert.deepEqual(numbers(got).sort((a, b) => a - b), all.map((_, n) => n));
    assert.deepEqual(got.unprocessedKeys, []);
    assert.deepEqual((await Post.batchDelete([key(24)])).unprocessedItems, []);
    assert.equal((await Post.query('author').eq('ann').count().exec()).count, 12);
  },

  async 'the table and its indexes are queried'() {
    const ann = () => Post.query('author').eq('ann');
    const live = () => Post.query('state').eq('live').using('byState');
    const rows = [
      ['a range of sort keys', ann().where('postId').between('2026-04', '2026-09'), [4, 6, 8]],
      ['a prefix', ann().where('postId').beginsWith('2026-1'), [10, 12, 14, 16, 18]],
      ['a filter', ann().where('state').eq('draft'), [20, 22]],
      ['either filter', ann().and().parenthesis(
        new Condition().where('views').gt(5).or().where('title').contains('2'),
      ), [2, 12, 20, 22]],
      ['the local index', ann().using('byWords').where('words').gt(494), [4, 2, 0]],
      ['an index', live().where('published').between(1003, 1006), [3, 4, 5, 6]],
      ['an index, greater', live().where('published').gt(1017), [18, 19]],
      ['an index, less or equal', live().where('published').le(1001), [0, 1]],
      ['an index, backwards', live().sort('descending').limit(3), [19, 18, 17]],
      ['an index with a filter', live().where('author').eq('bob').where('published').lt(1006),
        [1, 3, 5]],
      ['no such', Post.query('author').eq('nobody'), []],
    ];
    for (const [name, query, expected] of rows) {
      assert.deepEqual(numbers(await query.exec()), expected, name);
    }
  },

  async 'pages follow each other'() {
    const rows = [
      ['the table', () => Post.query('author').eq('ann'), evens(0, 22)],
      ['the local index', () => Post.query('author').eq('ann').using('byWords'),
        evens(0, 22).reverse()],
      ['the global index', () => Post.query('state').eq('live').using('byState'),
        [...Array(20).keys()]],
    ];
    for (const [name, query, expected] of rows) {
      const seen = [];
      let start;
      do {
        const page = await (start ? query().startAt(start) : query()).limit(5).exec();
        assert.ok(page.length <= 5, name);
        seen.push(...numbers(page));
        start = page.lastKey;
      } while (start);
      assert.deepEqual(seen, expected, name);
      assert.deepEqual(numbers(await query().limit(3).all().exec()), expected, name);
    }
  },

  async 'scans find each item once, also in parallel'() {
    const some = await Post.scan('state').eq('draft').exec();
    assert.deepEqual(numbers(some).sort((a, b) => a - b), [20, 21, 22, 23]);
    assert.equal(some.scannedCount, 24);
    const all = await Post.scan().parallel(4).exec();
    assert.deepEqual(numbers(all).sort((a, b) => a - b), [...Array(24).keys()]);
  },

  async 'an update sets, adds, deletes and removes'() {
    await Post.update(key(2), {
      $SET: { title: 'New', links: ['x'], source: { site: 's', rank: 1 } },
      $ADD: { views: 3, tags: new Set(['a', 'b']) },
    });
    const changed = await Post.update(key(2), {
      $ADD: { views: 1, links: ['y'] },
      $DELETE: { tags: new Set(['a']) },
      $REMOVE: ['source'],
    });
    assert.deepEqual({ ...changed }, {
      ...makePost(2), title: 'New', views: 4, links: ['x', 'y'], tags: new Set(['b']),
    });
  },

  async 'an update and a delete fail with their conditions'() {
    const where = (name) => new Condition().where(name);
    const failing = {
      'an equality': where('state').eq('draft'),
      'an inequality': where('views').gt(4),
      'a missing attribute': where('checkedOn').exists(),
      'a negation': where('title').not().contains('N'),
      'a list of values': where('words').in([1, 2, 3]),
      'both of two': where('state').eq('live').and().where('tags').contains('a'),
    };
    for (const [name, condition] of Object.entries(failing)) {
      await assert.rejects(Post.update(key(2), { views: 0 }, { condition }),
        ConditionalCheckFailedException, name);
      await assert.rejects(Post.delete(key(2), { condition }),
        ConditionalCheckFailedException, name);
    }
    const condition = where('state').eq('live').and().where('views').between(1, 4);
    assert.equal((await Post.update(key(2), { views: 100 }, { condition })).views, 100);
  },

  async 'a transaction is all done'() {
    await transaction([
      Post.transaction.create(makePost(30)),
      Post.transaction.update(key(2), { $ADD: { views: 1 } },
        { condition: new Condition().where('views').eq(100) }),
      Post.transaction.delete(key(23)),
      Post.transaction.condition(key(0), new Condition().where('state').eq('live')),
    ]);
    const [made, updated] = await transaction([
      Post.transaction.get(key(30)), Post.transaction.get(key(2))]);
    assert.equal(made.title, 'Post 30');
    assert.equal(updated.views, 101);
    assert.equal(await Post.get(key(23)), undefined);
  },

  async 'a cancelled transaction tells which parts failed, and changes nothing'() {
    const cancelled = transaction([
      Post.transaction.update(key(2), { $ADD: { views: 1 } }),
      Post.transaction.create(makePost(30)),
      Post.transaction.condition(key(23), new Condition().where('state').exists()),
    ]);
    await assert.rejects(cancelled, (error) => {
      assert.equal(error.name, 'TransactionCanceledException');
      assert.deepEqual(error.CancellationReasons.map(({ Code }) => Code),
        ['None', 'ConditionalCheckFailed', 'ConditionalCheckFailed']);
      return true;
    });
    assert.equal((await Post.get(key(2))).views, 101);
  },

  async 'a changed schema gives the table its new index'() {
    const { state, ...others } = postAttributes;
    const Changed = model('ChangedPost', new Schema({
      ...others,
      state: String,
      title: { type: String, index: { name: 'byTitle', type: 'global', project: ['words'] } },
    }));
    const changed = new Table('Blog', [Changed],
      { ...tableOptions, tags: { team: 'web' }, streamOptions: { enabled: false } });
    await changed.initialize();
    const { Table: table } = await ddb.describeTable({ TableName: 'Blog' });
    assert.deepEqual(table.GlobalSecondaryIndexes.map((index) => index.IndexName), ['byTitle']);
    const { Tags } = await ddb.listTagsOfResource({ ResourceArn: table.TableArn });
    assert.deepEqual(Tags, [{ Key: 'team', Value: 'web' }]);
    assert.equal(table.StreamSpecification, undefined);
    const [found] = await Changed.query('title').eq('Post 4').using('byTitle').exec();
    assert.deepEqual({ ...found }, { ...key(4), title: 'Post 4', words: 496 });
  },
};

await runTests(tests);
await dropTable('Blog');
