// The AWS SDK for JavaScript, its document client included, against the server.
// Usage: node sdk_test.js ENDPOINT
import assert from 'node:assert/strict';
import {
  BatchWriteItemCommand, ConditionalCheckFailedException, CreateTableCommand, DeleteTableCommand,
  DescribeTableCommand, DynamoDBClient, GetItemCommand, PutItemCommand, ResourceNotFoundException,
  UpdateItemCommand, paginateListTables, paginateScan, waitUntilTableExists,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand, UpdateCommand, paginateQuery,
} from '@aws-sdk/lib-dynamodb';

const client = new DynamoDBClient({ endpoint: process.argv[2], maxAttempts: 1 });
const documents = DynamoDBDocumentClient.from(client);
const patience = { client, maxWaitTime: 30, minDelay: 1, maxDelay: 1 };

async function makeTable(name, keys, more = {}) {
  await client.send(new CreateTableCommand({
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: Object.entries({ ...keys, ...more.keys }).map(
      ([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })),
    KeySchema: Object.keys(keys).map((AttributeName, i) => (
      { AttributeName, KeyType: ['HASH', 'RANGE'][i] })),
    GlobalSecondaryIndexes: more.indexes,
  }));
  await waitUntilTableExists(patience, { TableName: name });
}

async function dropTable(name) {
  await client.send(new DeleteTableCommand({ TableName: name }));
  await waitUntilTableNotExists(patience, { TableName: name });
}

const tests = {
  async 'a table lives from its creation to its deletion'() {
    await makeTable('Life', { id: 'S' });
    const { Table } = await client.send(new DescribeTableCommand({ TableName: 'Life' }));
    assert.equal(Table.TableStatus, 'ACTIVE');
    assert.ok(Table.CreationDateTime instanceof Date);
    assert.ok(Math.abs(Table.CreationDateTime - Date.now()) < 60000);
    await dropTable('Life');
    await assert.rejects(client.send(new DescribeTableCommand({ TableName: 'Life' })),
      ResourceNotFoundException);
  },

  async 'items are put, read and updated'() {
    await makeTable('Items', { id: 'S' });
    await client.send(new PutItemCommand({
      TableName: 'Items',
      Item: { id: { S: 'k' }, n: { N: '1' }, bytes: { B: new Uint8Array([0, 255]) } },
    }));
    const { Item } = await client.send(new GetItemCommand({
      TableName: 'Items', Key: { id: { S: 'k' } }, ConsistentRead: true,
    }));
    assert.deepEqual(Item.n, { N: '1' });
    assert.deepEqual([...Item.bytes.B], [0, 255]);
    const { Attributes, ConsumedCapacity } = await client.send(new UpdateItemCommand({
      TableName: 'Items',
      Key: { id: { S: 'k' } },
      UpdateExpression: 'ADD n :one',
      ExpressionAttributeValues: { ':one': { N: '1' } },
      ReturnValues: 'UPDATED_NEW',
      ReturnConsumedCapacity: 'TOTAL',
    }));
    assert.deepEqual(Attributes, { n: { N: '2' } });
    assert.equal(ConsumedCapacity.CapacityUnits, 1);
    await dropTable('Items');
  },

  async 'a failed condition is an exception of its own, with the item when asked for'() {
    await makeTable('Orders', { id: 'S' });
    await documents.send(new PutCommand({
      TableName: 'Orders', Item: { id: 'o1', state: 'SHIPPED' },
    }));
    const update = new UpdateCommand({
      TableName: 'Orders',
      Key: { id: 'o1' },
      UpdateExpression: 'SET #s = :new',
      ConditionExpression: '#s = :old',
      ExpressionAttributeNames: { '#s': 'state' },
      ExpressionAttributeValues: { ':new': 'SHIPPED', ':old': 'PENDING' },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    await assert.rejects(documents.send(update), (error) => {
      assert.ok(error instanceof ConditionalCheckFailedException);
      assert.equal(error.message, 'The conditional request failed');
      assert.deepEqual(error.Item, { id: { S: 'o1' }, state: { S: 'SHIPPED' } });
      return true;
    });
    await dropTable('Orders');
  },

  async 'documents keep their shapes'() {
    await makeTable('Docs', { id: 'S' });
    const item = {
      id: 'k', text: 'æøå 😀', n: 1.5, yes: true, nothing: null, list: [1, 'two', [], {}],
      map: { deep: { er: [false] } }, set: new Set(['a', 'b']), numbers: new Set([1, 2]),
    };
    await documents.send(new PutCommand({ TableName: 'Docs', Item: item }));
    const got = await documents.send(new GetCommand({ TableName: 'Docs', Key: { id: 'k' } }));
    assert.deepEqual(got.Item, item);
    await dropTable('Docs');
  },

  async 'paginators follow the pages of scans, queries and lists'() {
    await makeTable('Pages', { pk: 'S', sk: 'N' });
    const puts = Array.from({ length: 25 }, (_, n) => (
      { PutRequest: { Item: { pk: { S: `p${n % 2}` }, sk: { N: `${n}` } } } }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { Pages: puts } }));

    const scanned = [];
    for await (const page of paginateScan({ client, pageSize: 4 }, { TableName: 'Pages' })) {
      scanned.push(...page.Items.map((item) => Number(item.sk.N)));
    }
    assert.deepEqual(scanned.sort((a, b) => a - b),
      Array.from({ length: 25 }, (_, n) => n));

    const queried = [];
    const query = {
      TableName: 'Pages',
      KeyConditionExpression: 'pk = :p',
      ExpressionAttributeValues: { ':p': 'p1' },
    };
    for await (const page of paginateQuery({ client: documents, pageSize: 5 }, query)) {
      queried.push(...page.Items.map((item) => item.sk));
    }
    assert.deepEqual(queried, Array.from({ length: 12 }, (_, n) => 2 * n + 1));

    const names = [];
    for await (const page of paginateListTables({ client, pageSize: 1 }, {})) {
      names.push(...page.TableNames);
    }
    assert.deepEqual(names, ['Pages']);
    await dropTable('Pages');
  },

  async 'an index gives a leaderboard'() {
    await makeTable('Players', { id: 'S' }, {
      keys: { board: 'S', score: 'N' },
      indexes: [{
        IndexName: 'by-score',
        KeySchema: [{ AttributeName: 'board', KeyType: 'HASH' },
          { AttributeName: 'score', KeyType: 'RANGE' }],
        Projection: { ProjectionType: 'ALL' },
      }],
    });
    for (const [id, score] of [['a', 9], ['b', 100], ['c', 20]]) {
      await documents.send(new PutCommand({
        TableName: 'Players', Item: { id, board: 'all', score },
      }));
    }
    const { Items } = await documents.send(new QueryCommand({
      TableName: 'Players',
      IndexName: 'by-score',
      KeyConditionExpression: 'board = :all',
      ExpressionAttributeValues: { ':all': 'all' },
      ScanIndexForward: false,
      Limit: 2,
    }));
    assert.deepEqual(Items.map((item) => item.id), ['b', 'c']);
    await dropTable('Players');
  },
};

let failed = 0;
for (const [name, run] of Object.entries(tests)) {
  try {
    await run();
    console.log(`ok - ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`not ok - ${name}\n${error.stack}`);
  }
}
console.log(`${Object.keys(tests).length - failed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
