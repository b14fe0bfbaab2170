// ElectroDB, the way its guide uses it: two entities and a constraint in one table, with a
// collection over them and an index whose sort key begins with a date.
// Usage: node electrodb_test.js ENDPOINT
import assert from 'node:assert/strict';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import electrodb from 'electrodb';
import { client, dropTable, makeTable, runTests } from './mapper_support.js';

const { ElectroError, Entity, Service } = electrodb;
const TABLE = 'Shop';
const STATES = ['open', 'paid', 'sent'];

const customers = new Entity({
  model: { service: 'shop', entity: 'customer', version: '1' },
  attributes: {
    customerId: { type: 'string', required: true },
    name: { type: 'string', required: true },
    email: { type: 'string', required: true },
    orderCount: { type: 'number', default: 0 },
  },
  indexes: {
    customer: {
      collection: 'account',
      pk: { field: 'pk', composite: ['customerId'] },
      sk: { field: 'sk', composite: [] },
    },
  },
});

// One item for each address that is taken: its key is the constraint.
const emails = new Entity({
  model: { service: 'shop', entity: 'email', version: '1' },
  attributes: {
    email: { type: 'string', required: true },
    customerId: { type: 'string', required: true },
  },
  indexes: {
    email: { pk: { field: 'pk', composite: ['email'] }, sk: { field: 'sk', composite: [] } },
  },
});

const orders = new Entity({
  model: { service: 'shop', entity: 'order', version: '1' },
  attributes: {
    customerId: { type: 'string', required: true },
    orderId: { type: 'string', required: true },
    state: { type: STATES, required: true, default: 'open' },
    placedOn: { type: 'string', required: true },
    total: { type: 'number', required: true },
    note: { type: 'string' },
    tags: { type: 'set', items: 'string' },
    lines: {
      type: 'list',
      items: {
        type: 'map',
        properties: { sku: { type: 'string' }, count: { type: 'number' } },
      },
    },
  },
  indexes: {
    order: {
      collection: 'account',
      pk: { field: 'pk', composite: ['customerId'] },
      sk: { field: 'sk', composite: ['orderId'] },
    },
    byState: {
      index: 'gsi1',
      pk: { field: 'gsi1pk', composite: ['state'] },
      sk: { field: 'gsi1sk', composite: ['placedOn', 'orderId'] },
    },
  },
});

const shop = new Service({ customers, emails, orders }, { client, table: TABLE });

const makeOrder = (n, more = {}) => ({
  customerId: `c${n % 2}`,
  orderId: `o${String(n).padStart(2, '0')}`,
  placedOn: `2026-0${1 + Math.floor(n / 10)}-${String(10 + n % 10)}`,
  total: 10 * n,
  ...more,
});

const ids = (found) => found.data.map((order) => order.orderId);
const idsOf = (...numbers) => numbers.map((n) => makeOrder(n).orderId);

function failedCondition(error) {
  assert.ok(error instanceof ElectroError);
  assert.ok(error.cause instanceof ConditionalCheckFailedException);
  assert.equal(error.cause.message, 'The conditional request failed');
  return true;
}

const tests = {
  async 'an entity is created once'() {
    const ann = { customerId: 'c0', name: 'Ann', email: 'ann@example.com' };
    const made = await customers.create(ann).go();
    assert.deepEqual(made.data, { ...ann, orderCount: 0 });
    await assert.rejects(customers.create({ ...ann, name: 'Eve' }).go(), failedCondition);
    const got = await customers.get({ customerId: 'c0' }).go({ consistent: true });
    assert.deepEqual(got.data, made.data);
    const none = await customers.get({ customerId: 'nobody' }).go();
    assert.equal(none.data, null);
  },

  async 'a batch puts, gets and deletes more than one request holds'() {
    const all = Array.from({ length: 30 }, (_, n) => makeOrder(n));
    const put = await orders.put(all).go({ concurrency: 2 });
    assert.deepEqual(put.unprocessed, []);
    const got = await orders.get(all).go({ preserveBatchOrder: true });
    assert.deepEqual(got.unprocessed, []);
    assert.deepEqual(got.data, all.map((order) => ({ ...order, state: 'open' })));
    const gone = await orders.delete(all.slice(25)).go();
    assert.deepEqual(gone.unprocessed, []);
    const left = await orders.get(all).go();
    assert.deepEqual(ids(left).sort(), all.slice(0, 25).map((order) => order.orderId));
  },

  async 'an index is queried by parts of its sort key'() {
    const { byState } = orders.query;
    const place = (n) => ({ placedOn: makeOrder(n).placedOn, orderId: makeOrder(n).orderId });
    const rows = [
      ['begins', byState({ state: 'open' }).begins({ placedOn: '2026-03' }), [20, 21, 22, 23, 24]],
      ['the whole first part', byState({ state: 'open', placedOn: '2026-01-13' }), [3]],
      ['between', byState({ state: 'open' })
        .between({ placedOn: '2026-01-18' }, place(11)), [8, 9, 10, 11]],
      ['gte', byState({ state: 'open' }).gte(place(23)), [23, 24]],
      ['gt', byState({ state: 'open' }).gt(place(23)), [24]],
      ['lt', byState({ state: 'open' }).lt(place(2)), [0, 1]],
      ['lte', byState({ state: 'open' }).lte(place(2)), [0, 1, 2]],
      ['a filter', byState({ state: 'open' }).where(({ total, customerId }, { gt, eq }) => (
        `${gt(total, 200)} AND ${eq(customerId, 'c1')}`)), [21, 23]],
      ['nothing', byState({ state: 'sent' }), []],
    ];
    for (const [name, query, expected] of rows) {
      assert.deepEqual(ids(await query.go()), idsOf(...expected), name);
    }
    const latest = await byState({ state: 'open' }).go({ order: 'desc', limit: 2 });
    assert.deepEqual(ids(latest), idsOf(24, 23));
  },

  async 'a cursor leads from page to page'() {
    for (const [name, query, expected] of [
      ['the table', orders.query.order({ customerId: 'c1' }), idsOf(...odd())],
      ['the index', orders.query.byState({ state: 'open' }), idsOf(...Array(25).keys())],
    ]) {
      const seen = [];
      let pages = 0;
      let cursor = null;
      do {
        const page = await query.go({ cursor, limit: 5 });
        assert.ok(page.data.length <= 5, name);
        seen.push(...ids(page));
        ({ cursor } = page);
        pages += 1;
      } while (cursor !== null);
      assert.deepEqual(seen, expected, name);
      assert.ok(pages >= expected.length / 5, name);
    }
    const all = await orders.query.byState({ state: 'open' }).go({ pages: 'all', limit: 7 });
    assert.equal(all.data.length, 25);
    assert.equal(all.cursor, null);
  },

  async 'an update changes, adds, appends and removes'() {
    const key = { customerId: 'c0', orderId: 'o00' };
    const { data } = await orders.patch(key)
      .set({ note: 'gift', tags: ['a', 'b'], lines: [{ sku: 's1', count: 1 }] })
      .add({ total: 5 })
      .go({ response: 'all_new' });
    assert.deepEqual({ ...data, tags: [...data.tags].sort() }, {
      ...makeOrder(0), state: 'open', note: 'gift', total: 5, tags: ['a', 'b'],
      lines: [{ sku: 's1', count: 1 }],
    });
    await orders.patch(key).append({ lines: [{ sku: 's2', count: 2 }] }).remove(['note']).go();
    await orders.patch(key)
      .data((order, { add, del }) => {
        add(order.lines[0].count, 10);
        del(order.tags, ['a']);
      })
      .go();
    const after = await orders.get(key).go();
    assert.deepEqual(after.data, {
      ...makeOrder(0), state: 'open', total: 5, tags: ['b'],
      lines: [{ sku: 's1', count: 11 }, { sku: 's2', count: 2 }],
    });
  },

  async 'an update moves an item within its index'() {
    await orders.patch({ customerId: 'c1', orderId: 'o03' })
      .set({ state: 'paid' })
      .composite({ placedOn: '2026-01-13' })
      .go();
    assert.deepEqual(ids(await orders.query.byState({ state: 'paid' }).go()), ['o03']);
    const open = await orders.query.byState({ state: 'open' }).go();
    assert.equal(open.data.length, 24);
    assert.ok(!ids(open).includes('o03'));
  },

  async 'an update fails with its condition'() {
    const key = { customerId: 'c1', orderId: 'o03' };
    await assert.rejects(orders.patch({ ...key, orderId: 'none' }).set({ total: 1 }).go(),
      failedCondition);
    await assert.rejects(
      orders.patch(key).set({ total: 1 }).where(({ state }, { eq }) => eq(state, 'open')).go(),
      failedCondition);
    await assert.rejects(
      orders.remove(key).where(({ total, note }, { gt, exists }) => (
        `${gt(total, 1000)} OR ${exists(note)}`)).go(),
      failedCondition);
    const { data } = await orders.patch(key).set({ total: 1 })
      .where(({ state, total }, { eq, between }) => (
        `${eq(state, 'paid')} AND ${between(total, 30, 40)}`))
      .go({ response: 'updated_old' });
    assert.equal(data.total, 30);
  },

  async 'an upsert makes what is missing and changes what is there'() {
    const bob = { customerId: 'c1', name: 'Bob', email: 'bob@example.com' };
    const made = await customers.upsert(bob).add({ orderCount: 1 }).go({ response: 'all_new' });
    assert.equal(made.data.orderCount, 1);
    const changed = await customers.upsert({ ...bob, name: 'Bobby' }).add({ orderCount: 1 })
      .go({ response: 'all_new' });
    assert.deepEqual(changed.data, { ...bob, name: 'Bobby', orderCount: 2 });
  },

  async 'a collection finds all entities of one partition'() {
    const { data } = await shop.collections.account({ customerId: 'c1' }).go();
    assert.deepEqual(data.customers.map((customer) => customer.name), ['Bobby']);
    assert.deepEqual(data.orders.map((order) => order.orderId), idsOf(...odd()));
  },

  async 'a scan finds one entity among several'() {
    const { data } = await customers.scan.go({ pages: 'all' });
    assert.deepEqual(data.map((customer) => customer.name).sort(), ['Ann', 'Bobby']);
    const dear = await orders.scan.where(({ total }, { gte }) => gte(total, 230))
      .go({ pages: 'all' });
    assert.deepEqual(ids(dear).sort(), idsOf(23, 24));
  },

  async 'a transaction makes a customer and takes the address'() {
    const result = await register('c2', 'Cyd', 'cyd@example.com');
    assert.equal(result.canceled, false);
    const got = await shop.transaction.get((the) => [
      the.customers.get({ customerId: 'c2' }).commit(),
      the.emails.get({ email: 'cyd@example.com' }).commit(),
      the.emails.get({ email: 'free@example.com' }).commit(),
    ]).go();
    assert.equal(got.canceled, false);
    assert.deepEqual(got.data.map(({ item }) => item && item.customerId), ['c2', 'c2', null]);
  },

  async 'a cancelled transaction tells which part failed, and changes nothing'() {
    const result = await register('c3', 'Dan', 'cyd@example.com');
    assert.equal(result.canceled, true);
    assert.deepEqual(result.data.map(({ rejected, code }) => [rejected, code]),
      [[false, 'None'], [true, 'ConditionalCheckFailed'], [false, 'None']]);
    assert.equal(result.data[1].message, 'The conditional request failed');
    assert.equal(result.data[1].item.customerId, 'c2');
    assert.equal((await customers.get({ customerId: 'c3' }).go()).data, null);
    const { data } = await customers.get({ customerId: 'c0' }).go();
    assert.equal(data.orderCount, 1);
  },

  async 'a transaction with a token is done once'() {
    const count = () => shop.transaction.write((the) => [
      the.customers.patch({ customerId: 'c2' }).add({ orderCount: 1 }).commit(),
      the.orders.check({ customerId: 'c0', orderId: 'o00' })
        .where(({ state }, { eq }) => eq(state, 'open')).commit(),
    ]).go({ token: 'count-once' });
    assert.equal((await count()).canceled, false);
    assert.equal((await count()).canceled, false);
    const { data } = await customers.get({ customerId: 'c2' }).go();
    assert.equal(data.orderCount, 1);
  },
};

function odd() {
  return Array.from({ length: 12 }, (_, n) => 2 * n + 1);
}

// c0 recommended whoever registers, and counts it.
function register(customerId, name, email) {
  return shop.transaction.write((the) => [
    the.customers.create({ customerId, name, email }).commit(),
    the.emails.create({ email, customerId }).commit({ response: 'all_old' }),
    the.customers.patch({ customerId: 'c0' }).add({ orderCount: 1 }).commit(),
  ]).go();
}

await makeTable(TABLE, { pk: 'S', sk: 'S', gsi1pk: 'S', gsi1sk: 'S' }, [['pk'], ['sk']],
  { gsi1: [['gsi1pk'], ['gsi1sk']] });
await runTests(tests);
await dropTable(TABLE);
