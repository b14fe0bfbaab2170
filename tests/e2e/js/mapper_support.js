// What the tests of the mappers share: a client, a table for single-table design, and the closing
// line with the counts.
import {
  CreateTableCommand, DeleteTableCommand, DynamoDBClient, waitUntilTableExists,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb';

// No retries: what the server answers first is what a test sees.
export const client = new DynamoDBClient({ endpoint: process.argv[2], maxAttempts: 1 });

const patience = { client, maxWaitTime: 30, minDelay: 0.02, maxDelay: 0.02 };

// types: {attribute: type}. keys, and each of indexes by its name: [names of HASH, names of RANGE].
export async function makeTable(name, types, keys, indexes) {
  await client.send(new CreateTableCommand({
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: Object.entries(types).map(([AttributeName, AttributeType]) => (
      { AttributeName, AttributeType })),
    KeySchema: keySchema(keys),
    GlobalSecondaryIndexes: Object.entries(indexes).map(([IndexName, indexKeys]) => (
      { IndexName, KeySchema: keySchema(indexKeys), Projection: { ProjectionType: 'ALL' } })),
  }));
  await waitUntilTableExists(patience, { TableName: name });
}

function keySchema([hash, range]) {
  return [
    ...hash.map((AttributeName) => ({ AttributeName, KeyType: 'HASH' })),
    ...range.map((AttributeName) => ({ AttributeName, KeyType: 'RANGE' })),
  ];
}

export async function dropTable(name) {
  await client.send(new DeleteTableCommand({ TableName: name }));
  await waitUntilTableNotExists(patience, { TableName: name });
}

// Runs {name: function} in order.
export async function runTests(tests) {
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
}
