import { settingsByKind } from '@watchdesk/contract/workspace-settings'
import type { Workspace } from '@watchdesk/contract/workspaces'
import { WorkspaceBody } from '@watchdesk/contract/workspaces.schema'
import { describe, expect, test } from 'vitest'
import { at, merge, type Path, withValues } from '../../ui/form/merge.ts'
import { bodyOf, valuesOf, type WorkspaceValues } from './values.ts'

/** Three values for each field: at first, mine and theirs. Mine is as it would be typed. */
const quota = {
  balance: ['100', '1,500', '2500'],
  limit: ['3000', '4 000 000', '5000'],
  renewal_date: ['2027-01-01', '2027-02-02', '2027-03-03'],
}
const FIELDS = {
  name: ['Atlas', ' Atlas Media ', 'Atlas Group'],
  description: ['', 'Mine', 'Theirs\nin two lines '],
  status: ['TRIAL', null, 'PAID_CLIENT'],
  trial_end_date: ['2027-01-31', '2027-06-30', '2027-07-31'],
  analytical_quota: quota,
  ai_quota: quota,
  ...settingsByKind({
    text: ['', 'mine', 'theirs'],
    choice: ['lexical', null, 'other'],
    threshold: [null, 0, 0.75],
    yes_no: [false, true, true],
    names: [['a', 'b'], ['a', 'b', 'c'], []],
    ids: [[1], [2, 1], []],
  }),
}

/** All fields with their first, second or third value. */
function valuesNumber(which: 0 | 1 | 2) {
  const pick = (values: unknown): unknown =>
    Array.isArray(values)
      ? values[which]
      : Object.fromEntries(Object.entries(Object(values)).map(([name, inner]) => [name, pick(inner)]))
  return pick(FIELDS) as WorkspaceValues
}

const MINE = valuesNumber(1)
const THEIRS = valuesNumber(2)
const PATHS: Path[] = Object.entries(FIELDS).flatMap(([name, values]) =>
  Array.isArray(values) ? [[name]] : Object.keys(values).map((field) => [name, field]),
)
const start = valuesOf(stored(valuesNumber(0)))

/** What the server would store and respond: the validated body. */
function stored(values: WorkspaceValues): Workspace {
  const { name, description, status, trial_end_date, analytical_quota, ai_quota, ...config } = saved(values)
  return {
    id: 1,
    version: 2,
    ...{ name, description, status, trial_end_date, analytical_quota, ai_quota },
    config: { ...config, tags: [] },
  } as Workspace
}

function saved(values: WorkspaceValues) {
  return WorkspaceBody.parse(bodyOf(values))
}

function mergeOf(mine: WorkspaceValues, others: WorkspaceValues) {
  const theirs = valuesOf(stored(others))
  const versions = { base: start, mine, theirs }
  return { ...merge(versions, { base: saved(start), mine: saved(mine), theirs: saved(theirs) }), theirs }
}

test('the generated pairs include every field of the form', () => {
  const fields = Object.entries(start).flatMap(([name, value]) =>
    typeof value === 'object' && value && !Array.isArray(value)
      ? Object.keys(value).map((field) => `${name}.${field}`)
      : [name],
  )
  expect(PATHS.map((path) => path.join('.')).sort()).toEqual(fields.sort())
  expect(PATHS.length).toBe(25)
})

describe.each(PATHS.map((path) => [path.join('.'), path] as const))('I change %s', (_, mine) => {
  const my = withValues(start, MINE, [mine])

  const others = PATHS.filter((path) => path !== mine)

  test('they change any other field: both changes are saved, and nothing else', () => {
    for (const theirs of others) {
      const { values, taken, clashes } = mergeOf(my, withValues(start, THEIRS, [theirs]))
      expect({ clashes, taken }).toEqual({ clashes: [], taken: [theirs] })
      expect(saved(values)).toEqual(saved(withValues(my, THEIRS, [theirs])))
    }
  })

  test('they change it too: the same value is no question, another one is', () => {
    expect(mergeOf(my, my)).toMatchObject({ taken: [], clashes: [] })
    const { values, taken, clashes, theirs } = mergeOf(my, withValues(start, THEIRS, [mine]))
    if (at(saved(my), mine) === at(saved(theirs), mine)) return expect(clashes).toEqual([])
    expect({ taken, clashes }).toEqual({ taken: [], clashes: [mine] })
    expect(saved(values)).toEqual(saved(my))
    expect(saved(withValues(values, theirs, [mine]))).toEqual(saved(withValues(start, THEIRS, [mine])))
  })

  test('they change everything else: all of it is taken', () => {
    const all = withValues(start, THEIRS, others)
    const { values, clashes } = mergeOf(my, all)
    expect(clashes).toEqual([])
    expect(saved(values)).toEqual(saved(withValues(all, MINE, [mine])))
  })
})
