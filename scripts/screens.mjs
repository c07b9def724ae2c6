/** @typedef {{ path: string, isForWorkspaceAdmins?: boolean, menu?: { label: string, group?: string } }} Screen */

/**
 * The screens of signed-in users, from the router of an open page, so that new screens are included.
 *
 * @param {import('@playwright/test').Page} page
 * @returns {Promise<Screen[]>}
 */
export function readScreens(page) {
  return page.evaluate(() => {
    /** @type {{ id: string, fullPath: string, options: { component?: unknown, staticData?: object } }[]} */
    const routes = Object.values(Reflect.get(window, '__TSR_ROUTER__').routesById)
    return routes
      .filter(({ id, options }) => id.startsWith('/signed-in/') && options.component)
      .map(({ fullPath, options }) => ({ path: fullPath, ...options.staticData }))
  })
}

/** @typedef {{ id: number, created_sheet_url: string, import_id: number, objects: { source: { id: number } }[] }} Made */

/**
 * Creates the rows that detail screens show, and returns a function that replaces `$id` in the path of a screen.
 *
 * @param {(path: string, body: object) => Promise<Made>} post
 * @param {string} email Of the user who calls.
 */
export async function makeAddresses(post, email) {
  const dashboard = await post('powerbi_dashboards/', { name: 'Reach', embed_link: 'https://bi.example/1' })
  const sources = [{ source_url: 'https://t.me/reach' }]
  const made = await post('source_import/sources', { email, sheet_url: null, sheet_records: sources })
  const found = await post('sources/find', { addresses: sources.map(({ source_url }) => source_url) })
  /** @type {Record<string, number>} By the first part of the path. */
  const ids = {
    users: 1,
    workspaces: 1,
    dashboards: dashboard.id,
    imports: made.import_id,
    sources: found.objects[0]?.source.id ?? 0,
    sheets: Number(made.created_sheet_url.split('/').at(-1)),
  }
  return (/** @type {Screen} */ { path }) => path.replace('$id', String(ids[path.split('/')[1] ?? '']))
}
