/** An error in a CSV or XLSX file, with a message for the user. */
export class TableError extends Error {
  // An own property, because errors from a worker keep their properties but lose their class.
  override name = 'TableError'
}
