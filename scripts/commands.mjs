/** The parts of `npm run bench`, in order. */
export const BENCHMARKS = [
  'start',
  'accounts',
  'growth',
  'audit',
  'sources',
  'source-list',
  'users-change',
  'downloads',
  'embeddings',
  'similar',
  'stories',
]

const TEST_PARTS = [
  'types',
  'lint',
  'dead code',
  'folders',
  'unit and API',
  'components',
  'journeys',
  'other browser',
  'starting as root',
]
const CHANGED = {
  about: 'only the tests that uncommitted changes can affect; with BASE, also those since that commit or branch',
  operands: [{ name: 'BASE', optional: true }],
}

/**
 * The arguments of each command in package.json: parsed by `readCommandLine`, shown by `--help`. Options are flags
 * without a value; operands are required unless marked optional. An option
 * may replace the operands.
 */
export const COMMANDS = {
  start: {
    summary: 'Installs and builds what is missing, then serves the console and the API.',
    options: { demo: { about: 'fill an empty database with sample data first' } },
  },
  test: {
    summary: 'Runs the checks and tests, or one part of them.',
    operands: [{ name: 'PART', optional: true, choices: TEST_PARTS }],
    options: { changed: CHANGED },
  },
  'test:all': {
    summary: 'Runs npm test and the slow tests, these on an older PostgreSQL if one is installed, or one part of them.',
    operands: [{ name: 'PART', optional: true, choices: [...TEST_PARTS, 'complete unit and API'] }],
    options: { rest: { about: 'only what npm test leaves out', operands: [] }, changed: CHANGED },
  },
  dev: {
    summary: 'Starts the server and the console with hot reload; the console is on port 5173.',
  },
  setup: {
    summary: 'Installs packages and builds the server and the console, if they are missing or out of date.',
  },
  demo: {
    summary: 'Fills an empty database with sample data, also while the server is running.',
  },
  'reset-password': {
    summary: 'Sets a new password for a user, prints it once and ends the sessions of that user.',
    operands: [{ name: 'EMAIL', about: 'the email of the user' }],
    options: { create: { about: 'create a super admin when no user has this email' } },
  },
  'sign-in-link': {
    summary: 'Prints a link that signs in a user once, without a password or a second factor.',
    operands: [{ name: 'EMAIL', about: 'the email of the user' }],
  },
  migrate: {
    summary: 'Migrates the schema of the database, as the role that owns it.',
    operands: [
      { name: 'ROLE', optional: true, about: 'the role of the servers, which is granted the rights that they need' },
    ],
  },
  'new-secret-key': {
    summary: 'Accepts the key of this server for authenticator apps, after the earlier one was lost or replaced.',
  },
  backup: {
    summary: 'Backs up the database, also while the server is running.',
    operands: [
      {
        name: 'FILE',
        optional: true,
        about: 'the file to write; by default DATA_DIR/backups/watchdesk-<time>.backup.gz',
      },
    ],
  },
  restore: {
    summary: 'Restores a backup into an empty data directory or database, while the server is stopped.',
    operands: [{ name: 'FILE', about: 'the backup to read' }],
  },
  'test:postgres': {
    summary: 'Runs the API tests on the PostgreSQL server at DATABASE_URL, or on the oldest one that is installed.',
  },
  'test:faults': {
    summary: 'Puts known faults into a copy of the code one by one, and records which test notices in docs/faults.md.',
    operands: [{ name: 'NAME', optional: true, about: 'only the faults with this text in their name' }],
    options: {
      again: { about: 'start from the first fault, even if an earlier run was interrupted' },
      check: { about: 'only check that every fault can be put in, and write the table' },
    },
  },
  'test:airflow': {
    summary: 'Tests vectorization runs with a real Airflow 2.x and 3.x, which it installs.',
    operands: [{ name: 'VERSION', optional: true, choices: ['2', '3'] }],
  },
  bench: {
    summary: 'Measures the server against a baseline and against the targets, and updates docs/performance.md.',
    operands: [{ name: 'PART', optional: true, choices: BENCHMARKS }],
    options: {
      peers: { about: 'compare accounts with AdminJS, NestJS and Directus too, which it installs' },
      short: {
        about: 'only check that they work, in two minutes: little data, no targets, nothing is saved',
      },
    },
  },
  'bench:reading': {
    summary: 'Measures how fast the browser reads a CSV file of a million rows, and the longest tasks of the page.',
    options: { short: { about: 'only check that it works, with little data and no target' } },
  },
  'bench:console': {
    summary:
      'Compares the users list with the same list made with react-admin; BENCH_ROUNDS sets the number of rounds.',
  },
  crash: {
    summary: 'Runs the fault tests with many repetitions; takes about an hour.',
  },
  bytes: {
    summary: 'Checks the size of each screen of the console against its budget.',
  },
}
