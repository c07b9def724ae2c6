/** What is wrong with a CSV or XLSX file, in words for the person who chose it. */
export class TableError extends Error {
  // Its own property: what crosses from a worker keeps its fields and loses its class.
  override name = 'TableError'
}
