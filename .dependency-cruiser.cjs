/**
 * The doors between the rooms (docs/decisions/0002). Every rule is shown to bite by a planted
 * violation in test/arrows.test.ts.
 */
module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'domain-imports-only-domain',
      severity: 'error',
      from: { path: '^domain/' },
      to: { pathNot: '^domain/|^node:crypto$|^crypto$' },
    },
    {
      name: 'crypto-in-tracking-only',
      severity: 'error',
      from: { path: '^domain/', pathNot: '^domain/tracking/' },
      to: { path: '^(node:)?crypto$' },
    },
    {
      name: 'config-is-read-by-entry-points-only',
      severity: 'error',
      from: { pathNot: '^(api/main|api/server|worker/main|dev/[^/]+|api/deps|config)\\.ts$' },
      to: { path: '^config\\.ts$' },
    },
    {
      name: 'db-knows-no-caller',
      severity: 'error',
      from: { path: '^db/' },
      to: { path: '^(api|activities|workflows|worker|dev)/' },
    },
    {
      name: 'activities-know-no-caller',
      severity: 'error',
      from: { path: '^activities/' },
      to: { path: '^(api|worker|dev|workflows(?!/contracts))/' },
    },
    {
      name: 'workflows-see-only-temporal-and-contracts',
      severity: 'error',
      comment: 'Types of activities and domain are allowed; the lint rule tells values apart.',
      from: { path: '^workflows/' },
      to: { path: '^(api|db|worker|dev)/|(^|/)node_modules/(?!@temporalio/(workflow|common))' },
    },
    {
      name: 'contracts-are-plain-data',
      severity: 'error',
      from: { path: '^workflows/contracts/' },
      to: { pathNot: '^workflows/contracts/' },
    },
    {
      name: 'api-loads-no-workflow-code',
      severity: 'error',
      from: { path: '^api/' },
      to: { path: '^workflows/(?!contracts)' },
    },
    {
      name: 'nothing-imports-the-entry-rooms',
      severity: 'error',
      from: { path: '^(domain|db|activities|workflows|worker)/' },
      to: { path: '^(api|dev)/' },
    },
    {
      name: 'nothing-imports-the-worker',
      severity: 'error',
      from: { path: '^(domain|db|activities|workflows|api)/' },
      to: { path: '^worker/' },
    },
    {
      name: 'surfaces-do-not-import-each-other',
      severity: 'error',
      from: { path: '^api/(advertiser|publisher|admin|ad|track|conversion)/' },
      to: { path: '^api/(advertiser|publisher|admin|ad|track|conversion)/', pathNot: '^api/$1/' },
    },
    {
      name: 'api-http-is-http-and-nothing-else',
      severity: 'error',
      from: { path: '^api/http/' },
      to: { path: '^api/(?!http/)' },
    },
    {
      name: 'presenters-know-no-surface',
      severity: 'error',
      from: { path: '^api/present/' },
      to: { path: '^api/(?!present/|http/)' },
    },
    {
      name: 'core-activities-stand-on-no-topic',
      severity: 'error',
      comment: 'deps.ts is what every activity is given.',
      from: { path: '^activities/core/' },
      to: { path: '^activities/(?!core/|deps\\.ts$)' },
    },
    {
      name: 'schema-imports-tables-domain-and-the-runner',
      severity: 'error',
      from: { path: '^db/schema/' },
      to: {
        pathNot:
          '^db/(schema/|tables/index\\.ts$|sql-runner\\.ts$)|^domain/|(^|/)node_modules/sequelize/',
      },
    },
    {
      name: 'tables-import-schema-and-domain',
      severity: 'error',
      from: { path: '^db/tables/' },
      to: { pathNot: '^db/(schema|tables)/|^domain/' },
    },
    {
      name: 'only-callers-use-queries',
      severity: 'error',
      comment: 'What a screen reads is no concern of the event log, of serving or of stored files.',
      from: { path: '^db/(events|serving|files)/' },
      to: { path: '^db/queries/' },
    },
    {
      name: 'sequelize-is-behind-two-doors',
      severity: 'error',
      comment:
        'Activities pass its transactions on; test/tidy.test.ts sees that they take types only.',
      from: { pathNot: '^(db/postgres\\.ts|db/schema/models\\.ts|activities/.+)$|node_modules/' },
      to: { path: '(^|/)node_modules/sequelize/' },
    },
    {
      name: 'hot-path-never-reaches-sequelize-or-temporal',
      severity: 'error',
      from: { path: '^api/(ad|track)/' },
      to: { path: '(^|/)node_modules/(sequelize|@temporalio)', reachable: true },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(test|dist|\\.data)/' },
    moduleSystems: ['es6', 'cjs'],
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node'],
    },
  },
};
