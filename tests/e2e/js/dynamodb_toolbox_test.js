// DynamoDB-Toolbox, the way its documentation uses it: two entities in one table, their keys
// renamed, prefixed or computed; an index with a number to sort by, and one with several attributes
// to a key.
// Usage: node dynamodb_toolbox_test.js ENDPOINT
import assert from 'node:assert/strict';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  $add, $append, $delete, $get, $remove, $set, $subtract, $sum, BatchDeleteRequest, BatchGetCommand,
  BatchGetRequest, BatchPutRequest, BatchWriteCommand, ConditionCheck, DeleteItemCommand,
  DeletePartitionCommand, DeleteTransaction, Entity, GetItemCommand, GetTransaction,
  PutItemCommand, PutTransaction, QueryCommand, ScanCommand, Table, UpdateItemCommand,
  UpdateTransaction, executeBatchGet, executeBatchWrite, executeTransactGet, executeTransactWrite,
  isConditionCheckFailed, isTransactionCancelled, item, list, map, number, prefix, set, string,
} from 'dynamodb-toolbox';
import { client, dropTable, makeTable, runTests } from './mapper_support.js';

const pokeTable = new Table({
  documentClient: DynamoDBDocumentClient.from(client),
  name: 'Poke',
  partitionKey: { name: 'pk', type: 'string' },
  sortKey: { name: 'sk', type: 'string' },
  indexes: {
    bySpecies: {
      type: 'global',
      partitionKey: { name: 'species', type: 'string' },
      sortKey: { name: 'level', type: 'number' },
    },
    byPlace: {
      type: 'global',
      partitionKeys: [{ name: 'region', type: 'string' }, { name: 'town', type: 'string' }],
      sortKeys: [{ name: 'level', type: 'number' }, { name: 'species', type: 'string' }],
    },
  },
});

const Trainer = new Entity({
  name: 'TRAINER',
  table: pokeTable,
  schema: item({
    trainerId: string().key(),
    name: string(),
    badges: number().default(0),
  }),
  computeKey: ({ trainerId }) => ({ pk: `TRAINER#${trainerId}`, sk: 'PROFILE' }),
});

const Pokemon = new Entity({
  name: 'POKEMON',
  table: pokeTable,
  schema: item({
    trainerId: string().key().savedAs('pk').transform(prefix('TRAINER')),
    pokemonId: string().key().savedAs('sk').transform(prefix('POKEMON')),
    species: string(),
    level: number(),
    region: string().optional(),
    town: string().optional(),
    nickname: string().optional(),
    types: set(string()).optional(),
    moves: list(string()).default([]),
    stats: map({ hp: number(), attack: number() }).optional(),
  }),
});

const SPECIES = ['pikachu', 'eevee', 'snorlax'];

const makePokemon = (n) => ({
  trainerId: 'red',
  pokemonId: String(n).padStart(2, '0'),
  species: SPECIES[n % 3],
  level: n,
  region: 'kanto',
  town: ['pallet', 'saffron'][n % 2],
  moves: [],
});

// The library adds when an item was made and changed.
const plain = ({ created, modified, ...rest }) => {
  assert.match(created, /^\d{4}-/);
  assert.match(modified, /^\d{4}-/);
  return rest;
};

const levels = ({ Items }) => Items.map((pokemon) => pokemon.level);
const trainer = (trainerId) => Trainer.build(GetItemCommand).key({ trainerId });
const bySpecies = (species, range) => pokeTable.build(QueryCommand)
  .query({ index: 'bySpecies', partition: species, range }).entities(Pokemon);
const byPlace = (town, range) => pokeTable.build(QueryCommand)
  .query({ index: 'byPlace', partition: ['kanto', town], range }).entities(Pokemon);

const tests = {
  async 'an item is made once'() {
    const red = { trainerId: 'red', name: 'Red' };
    const command = Trainer.build(PutItemCommand).item(red).options({
      condition: { attr: 'trainerId', exists: false },
      returnValuesOnConditionFalse: 'ALL_OLD',
    });
    await command.send();
    const { Item } = await trainer('red').options({ consistent: true }).send();
    assert.deepEqual(plain(Item), { ...red, badges: 0 });
    await assert.rejects(command.send(), (error) => {
      assert.ok(isConditionCheckFailed(error, Trainer));
      assert.equal(error.FormattedItem.name, 'Red');
      return true;
    });
    assert.equal((await trainer('nobody').send()).Item, undefined);
  },

  async 'batches put, get and delete'() {
    const all = Array.from({ length: 25 }, (_, n) => makePokemon(n));
    const put = await executeBatchWrite({ maxAttempts: 3 }, pokeTable.build(BatchWriteCommand)
      .requests(...all.map((pokemon) => Pokemon.build(BatchPutRequest).item(pokemon))));
    assert.deepEqual(put.UnprocessedItems, {});
    const { Responses: [got] } = await executeBatchGet(pokeTable.build(BatchGetCommand).requests(
      Trainer.build(BatchGetRequest).key({ trainerId: 'red' }),
      ...all.map(({ trainerId, pokemonId }) => (
        Pokemon.build(BatchGetRequest).key({ trainerId, pokemonId }))),
    ));
    assert.equal(got[0].name, 'Red');
    assert.deepEqual(got.slice(1).map(plain), all);
    await executeBatchWrite(pokeTable.build(BatchWriteCommand).requests(
      Pokemon.build(BatchDeleteRequest).key({ trainerId: 'red', pokemonId: '24' })));
    const { Items } = await pokeTable.build(QueryCommand)
      .query({ partition: 'TRAINER#red', range: { beginsWith: 'POKEMON#2' } })
      .entities(Pokemon).send();
    assert.deepEqual(Items.map(plain), all.slice(20, 24));
  },

  async 'an index is queried by ranges of numbers'() {
    const rows = [
      ['all', bySpecies('pikachu'), [0, 3, 6, 9, 12, 15, 18, 21]],
      ['eq', bySpecies('pikachu', { eq: 9 }), [9]],
      ['between', bySpecies('pikachu', { between: [3, 12] }), [3, 6, 9, 12]],
      ['gt', bySpecies('pikachu', { gt: 15 }), [18, 21]],
      ['gte', bySpecies('pikachu', { gte: 15 }), [15, 18, 21]],
      ['lt', bySpecies('eevee', { lt: 7 }), [1, 4]],
      ['lte', bySpecies('eevee', { lte: 7 }), [1, 4, 7]],
      ['reverse', bySpecies('snorlax').options({ reverse: true, limit: 2 }), [23, 20]],
      ['filter', bySpecies('eevee').options({
        filters: {
          POKEMON: { and: [{ attr: 'town', eq: 'pallet' }, { attr: 'pokemonId', gt: '09' }] },
        },
      }), [10, 16, 22]],
      ['nothing', bySpecies('mew'), []],
    ];
    for (const [name, query, expected] of rows) {
      assert.deepEqual(levels(await query.send()), expected, name);
    }
    const { Items } = await bySpecies('eevee', { lt: 5 }).options({ attributes: ['level'] }).send();
    assert.deepEqual(Items, [{ level: 1 }, { level: 4 }]);
  },

  async 'an index with several attributes to a key is queried from the left'() {
    const rows = [
      ['the partition', byPlace('saffron'), [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23]],
      ['a range of the first', byPlace('saffron', [{ between: [5, 9] }]), [5, 7, 9]],
      ['the first', byPlace('saffron', [5]), [5]],
      ['a range of the second', byPlace('saffron', [5, { beginsWith: 'snor' }]), [5]],
      ['the second does not match', byPlace('saffron', [5, 'eevee']), []],
      ['another town', byPlace('pallet', [{ lt: 5 }]), [0, 2, 4]],
    ];
    for (const [name, query, expected] of rows) {
      assert.deepEqual(levels(await query.send()), expected, name);
    }
  },

  async 'pages follow each other'() {
    const rows = [
      ['the table', pokeTable.build(QueryCommand)
        .query({ partition: 'TRAINER#red', range: { beginsWith: 'POKEMON#' } }).entities(Pokemon),
      Array.from({ length: 24 }, (_, n) => n)],
      ['an index', bySpecies('pikachu'), [0, 3, 6, 9, 12, 15, 18, 21]],
      ['an index of several attributes', byPlace('pallet'),
        [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22]],
    ];
    for (const [name, query, expected] of rows) {
      const pages = [];
      for await (const page of query.options({ limit: 3 }).paginate()) {
        assert.ok(page.Items.length <= 3, name);
        pages.push(levels(page));
      }
      assert.deepEqual(pages.flat(), expected, name);

      const first = await query.options({ limit: 5 }).send();
      const exclusiveStartKey = first.LastEvaluatedKey;
      const rest = await query
        .options({ exclusiveStartKey, limit: 4, maxPages: Infinity }).send();
      assert.deepEqual([...levels(first), ...levels(rest)], expected, name);
    }
  },

  async 'segments of a scan find each item once'() {
    const scan = (segment) => pokeTable.build(ScanCommand).entities(Pokemon)
      .options({ segment, totalSegments: 3, maxPages: Infinity, limit: 10 }).send();
    const found = await Promise.all([0, 1, 2].map(scan));
    assert.deepEqual(found.flatMap(levels).sort((a, b) => a - b),
      Array.from({ length: 24 }, (_, n) => n));
  },

  async 'an update adds, appends, removes and reads other attributes'() {
    const key = { trainerId: 'red', pokemonId: '03' };
    await Pokemon.build(UpdateItemCommand).item({
      ...key, nickname: 'Sparky', types: $add(new Set(['electric', 'cute'])),
      stats: $set({ hp: 30, attack: 50 }), moves: $append(['growl']), level: $add(2),
    }).send();
    const { Attributes } = await Pokemon.build(UpdateItemCommand).item({
      ...key, nickname: $remove(), types: $delete(new Set(['cute'])),
      stats: { hp: $sum($get('stats.hp'), 5), attack: $subtract($get('stats.attack'), 1) },
      moves: $append(['thunder']),
    }).options({ returnValues: 'ALL_NEW' }).send();
    assert.deepEqual(plain(Attributes), {
      ...makePokemon(3), level: 5, types: new Set(['electric']), stats: { hp: 35, attack: 49 },
      moves: ['growl', 'thunder'],
    });
    assert.deepEqual(levels(await bySpecies('pikachu', { lt: 7 }).send()), [0, 5, 6]);
  },

  async 'an update and a delete fail with their conditions'() {
    const key = { trainerId: 'red', pokemonId: '03' };
    const train = (condition) => Pokemon.build(UpdateItemCommand)
      .item({ ...key, level: $add(1) })
      .options({ condition, returnValues: 'UPDATED_NEW', returnValuesOnConditionFalse: 'ALL_OLD' });
    const failing = [
      { attr: 'level', gte: 99 },
      { attr: 'species', beginsWith: 'char' },
      { not: { attr: 'types', contains: 'electric' } },
      { size: 'moves', gt: 2 },
      { attr: 'stats.hp', between: [1, 34] },
      { and: [{ attr: 'level', eq: 5 }, { or: [{ attr: 'town', in: ['x', 'y'] },
        { attr: 'nickname', exists: true }] }] },
      { attr: 'level', type: 'S' },
    ];
    for (const condition of failing) {
      const row = JSON.stringify(condition);
      await assert.rejects(train(condition).send(), (error) => {
        assert.ok(isConditionCheckFailed(error, Pokemon), `${row}: ${error}`);
        assert.equal(error.FormattedItem.level, 5, row);
        return true;
      }, row);
    }
    await assert.rejects(
      Pokemon.build(DeleteItemCommand).key(key).options({ condition: failing[0] }).send(),
      (error) => isConditionCheckFailed(error));
    const { Attributes } = await train({ attr: 'level', eq: 5 }).send();
    assert.equal(Attributes.level, 6);
  },

  async 'a transaction gives a pokemon to another trainer'() {
    await Trainer.build(PutItemCommand).item({ trainerId: 'blue', name: 'Blue' }).send();
    await give('03', 'trade-once');
    await assert.rejects(give('06', 'trade-once'),
      { name: 'IdempotentParameterMismatchException' });
    const { Responses } = await executeTransactGet(
      Pokemon.build(GetTransaction).key({ trainerId: 'red', pokemonId: '03' }),
      Pokemon.build(GetTransaction).key({ trainerId: 'blue', pokemonId: '03' }),
      Trainer.build(GetTransaction).key({ trainerId: 'red' }),
    );
    assert.equal(Responses[0].Item, undefined);
    assert.deepEqual(plain(Responses[1].Item), { ...makePokemon(3), trainerId: 'blue' });
    assert.equal(Responses[2].Item.badges, 1);
  },

  async 'a cancelled transaction tells which parts failed, and changes nothing'() {
    await assert.rejects(give('03'), (error) => {
      assert.ok(isTransactionCancelled(error, ...giving('03')));
      assert.deepEqual(error.CancellationReasons.map(({ Code }) => Code),
        ['None', 'ConditionalCheckFailed', 'ConditionalCheckFailed', 'None']);
      assert.equal(error.CancellationReasons[2].FormattedItem.species, 'pikachu');
      return true;
    });
    assert.equal((await trainer('red').send()).Item.badges, 1);
  },

  async 'a partition is deleted'() {
    await pokeTable.build(DeletePartitionCommand).query({ partition: 'TRAINER#red' })
      .entities(Trainer, Pokemon).send();
    const { Items } = await pokeTable.build(ScanCommand).entities(Trainer, Pokemon).send();
    assert.deepEqual(Items.map(({ trainerId }) => trainerId), ['blue', 'blue']);
  },
};

function giving(pokemonId) {
  return [
    Trainer.build(ConditionCheck).key({ trainerId: 'blue' })
      .condition({ attr: 'trainerId', exists: true }),
    Pokemon.build(DeleteTransaction).key({ trainerId: 'red', pokemonId })
      .options({ condition: { attr: 'trainerId', exists: true } }),
    Pokemon.build(PutTransaction).item({ ...makePokemon(Number(pokemonId)), trainerId: 'blue' })
      .options({
        condition: { attr: 'trainerId', exists: false },
        returnValuesOnConditionFalse: 'ALL_OLD',
      }),
    Trainer.build(UpdateTransaction).item({ trainerId: 'red', badges: $add(1) }),
  ];
}

// Red gives a pokemon to Blue, and gets a badge for it.
function give(pokemonId, clientRequestToken) {
  return executeTransactWrite({ clientRequestToken }, ...giving(pokemonId));
}

await makeTable('Poke',
  { pk: 'S', sk: 'S', species: 'S', level: 'N', region: 'S', town: 'S' }, [['pk'], ['sk']], {
    bySpecies: [['species'], ['level']],
    byPlace: [['region', 'town'], ['level', 'species']],
  });
await runTests(tests);
await dropTable('Poke');
