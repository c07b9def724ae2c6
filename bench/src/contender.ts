/** What every contender is measured with, on the same rows. A contender may leave out what it cannot do. */
export type WorkName =
  | 'list page 1'
  | 'list, middle page'
  | 'list, last page'
  | 'list by email, middle page'
  | 'list by name, middle page'
  | 'search, a common name'
  | 'search, part of an email'
  | 'read one'
  | 'edit one'
  | 'create one'

/** `n` is different for each request of a run: edits take it for the row and the new value, creates for the name. */
export type Work = {
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT'
  path: string | ((n: number) => string)
  body?(n: number): string
  /** JSON if not set. */
  contentType?: string
}

/** A running server that is measured. */
export type Contender = {
  name: string
  url: string
  /** For the CPU time of the server, if it is a single process. */
  pid?: number
  headers: Record<string, string>
  works: Partial<Record<WorkName, Work>>
  stop(): Promise<unknown>
}
