// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are parts of source files
/** Faults of the console. See `scripts/test-faults.mjs`. */
export const CONSOLE = [
  {
    name: 'The activity page says that an import requested sources instead of added them',
    fix: '1b3b26a7',
    file: 'console/src/features/activity/shared/import-sentences.ts',
    find: "linked(event, 'added ', `${formatNumber(countIn(event, 'requested'))}",
    replace: "linked(event, 'requested ', `${formatNumber(countIn(event, 'requested'))}",
    before:
      'console/src/features/activity/shared/sentence.test.ts: what happened, in words imports and exports are counted',
  },
  {
    name: 'A quota typed as 12.345 is saved as 12345 although it may be a fraction',
    fix: '34a90851',
    file: 'console/src/features/workspaces/amount.ts',
    find: 'return isRepeated || SPACES_AND_MARKS',
    replace: 'return !isRepeated || SPACES_AND_MARKS',
    before: 'console/src/features/workspaces/amount.test.ts: 12.345 could be a fraction',
  },
  {
    name: 'Corrected rows of a file have other numbers than in the file',
    fix: '18602bbe',
    file: 'console/src/features/source-import/worker/sheet.ts',
    find: 'repeats: first === undefined ? undefined : numbers[first]',
    replace: 'repeats: first',
    before:
      'console/src/features/source-import/worker/sheet.test.ts: an edited row is judged again at once, and so are the rows that repeat it or no longer do',
  },
  {
    name: 'A backend on another origin refuses every change because of an unknown header',
    fix: '9fe6ec3f',
    file: 'console/src/api/call.ts',
    find: 'if (IS_CROSS_ORIGIN) headers',
    replace: 'if (IS_CROSS_ORIGIN && token === null) headers',
    before:
      'console/src/api/call.test.ts: a backend on another origin gets no idempotency key, which it might not allow',
  },
  {
    name: 'A message of the server with an impossible time breaks the page',
    fix: '4e347c00',
    file: 'console/src/ui/display/format.ts',
    find: 'if (Number.isNaN(date.getTime())) return written',
    replace: "if (timestamp === '') return written",
    before: 'console/src/ui/display/format.test.ts: has no timestamp',
  },
  {
    name: 'The same change by two people is called a conflict',
    file: 'console/src/ui/form/merge.ts',
    find: 'clashes: both.filter((path) => !isSame(at(sent.mine, path), at(sent.theirs, path))),',
    replace: 'clashes: both.filter((path) => !isSame(at(sent.mine, path), at(sent.base, path))),',
    before: 'console/src/ui/form/merge.test.ts: the same change by both is no clash, a different one is',
  },
]
