import { parseArgs } from 'node:util'
import { COMMANDS } from './commands.mjs'

const USAGE_ERROR = 2
const HELP = { help: { about: 'show this text' } }

/**
 * Parses the arguments of a command: operands in order, options by name. Exits after `--help`, and with an error on
 * unknown arguments. Call it before anything else.
 */
export function readCommandLine(name, args = process.argv.slice(2)) {
  const { operands: known = [], options = {}, ...command } = COMMANDS[name]
  const described = { ...options, ...HELP }
  const { values, positionals } = parseOptions(name, args, described)
  if (values.help) {
    console.log(help(name, { ...command, operands: known, options: described }))
    process.exit(0)
  }
  for (const option of Object.keys(options)) {
    // Without `--` before it, npm takes an option as its own.
    if (process.env[`npm_config_${option}`] === 'true') exitWithUsageError(name, `Write ${run(name)} -- --${option}`)
  }
  const expected =
    Object.keys(values)
      .map((option) => options[option]?.operands)
      .find(Boolean) ?? known
  for (const [index, operand] of expected.entries()) {
    const given = positionals[index]
    if (given === undefined && !operand.optional) exitWithUsageError(name, `${operand.name} is missing`)
    if (given !== undefined && operand.choices && !operand.choices.includes(given)) {
      exitWithUsageError(name, `${operand.name} must be ${choices(operand)}, not '${given}'`)
    }
  }
  if (positionals.length > expected.length) {
    exitWithUsageError(name, `Unknown argument '${positionals[expected.length]}'`)
  }
  return { operands: positionals, options: values }
}

function parseOptions(name, args, described) {
  const options = Object.fromEntries(Object.keys(described).map((option) => [option, { type: 'boolean' }]))
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    return exitWithUsageError(name, error.message.split('. ')[0])
  }
}

function exitWithUsageError(name, reason) {
  console.error(`${reason}. Run ${run(name)} -- --help to see what this command accepts.`)
  process.exit(USAGE_ERROR)
}

function help(name, { summary, operands, options }) {
  const shown = operands.map((operand) => (operand.optional ? `[${operand.name}]` : operand.name))
  const flags = Object.keys(options).map((option) => `[--${option}]`)
  const lines = [
    ...operands.map((operand) => [operand.name, operand.about ?? choices(operand)]),
    ...Object.entries(options).map(([option, { about, operands = [] }]) => [
      [`--${option}`, ...operands.map(({ name }) => `[${name}]`)].join(' '),
      about,
    ]),
  ]
  const width = Math.max(10, ...lines.map(([left]) => left.length))
  return [
    `Usage: ${run(name)} -- ${[...flags, ...shown].join(' ')}`,
    '',
    summary,
    '',
    ...lines.map(([left, right]) => `  ${left.padEnd(width)} ${right}`),
    '',
    'Settings are environment variables: see docs/settings.md.',
  ].join('\n')
}

function choices({ choices }) {
  return choices.map((choice) => (choice.includes(' ') ? `"${choice}"` : choice)).join(', ')
}

function run(name) {
  return ['start', 'test'].includes(name) ? `npm ${name}` : `npm run ${name}`
}
