/** Limits of a workbook: what a spreadsheet program supports, and what no legitimate file exceeds. */
export const XLSX_LIMITS = {
  entries: 10_000,
  cellLength: 32_767,
  /** Blank cells before a value: a value far to the right costs as much as all the cells before it. */
  blankCells: 20_000_000,
  /** A million take about 5 s of CPU time to read. */
  sharedStrings: 750_000,
  /** Elements of shared strings: plain ones have two each, formatted ones a few for each run. */
  sharedElements: 2_250_000,
  /** Excel supports 65,490 styles and a few hundred number formats. */
  styles: 100_000,
  numberFormats: 10_000,
  /** Characters of XML without a start or end tag. */
  xmlPiece: 1_000_000,
  xmlDepth: 50,
  /** Elements without a value, in addition to those allowed for each value. */
  idleElements: 1_500_000,
  elementsPerValue: 20,
} as const
