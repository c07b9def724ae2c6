import type { Access } from '@watchdesk/contract/endpoint'

export type Operation = {
  summary: string
  tags: string[]
  description: string
  parameters: { name: string; in: string; required: boolean; schema: unknown; description?: string }[]
  requestBody?: { required: boolean; content: Record<string, { schema: unknown }> }
  responses: Record<string, unknown>
  security: unknown[]
  'x-access': Access
}

export type OpenapiDocument = {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  paths: Record<string, Record<string, Operation>>
  components: unknown
}

/** The API to read: plain HTML, no script. */
export function referencePage({ info, paths }: OpenapiDocument) {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const tags = [...new Set(calls.flatMap(({ operation }) => operation.tags))]
  const sections = tags.map((tag) => {
    const own = calls.filter(({ operation }) => operation.tags.includes(tag))
    return `<section id="${escapeHtml(tag)}"><h2>${escapeHtml(tag)}</h2>${own.map(call).join('')}</section>`
  })
  const links = tags.map((tag) => `<a href="#${escapeHtml(tag)}">${escapeHtml(tag)}</a>`).join('')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(info.title)} API</title><style>${STYLE}</style></head><body>
<header><h1>${escapeHtml(info.title)} API</h1><p>${escapeHtml(info.description)} Send <code>Authorization: Bearer &lt;access_token&gt;</code>;
failures are <code>{"detail": …}</code>. The same as <a href="/api/openapi.json">OpenAPI 3.1</a>.</p><nav>${links}</nav></header>
<main>${sections.join('')}</main></body></html>`
}

function call({ path, method, operation }: { path: string; method: string; operation: Operation }) {
  const body = Object.values(operation.requestBody?.content ?? {})[0]
  const status = Object.keys(operation.responses)[0] ?? ''
  return `<details><summary><b class="${method}">${method}</b><code>${escapeHtml(path)}</code><span>${escapeHtml(operation.summary)}</span></summary>
<p>${escapeHtml(operation.description)}</p>${parameters(operation)}
${body ? `<h3>Body</h3>${schema(body.schema)}` : ''}
<h3>Answer ${status}</h3>${schema(responseSchema(operation.responses[status]))}</details>`
}

function parameters({ parameters: list }: Operation) {
  if (list.length === 0) return ''
  const rows = list.map(
    (item) =>
      `<tr><td><code>${escapeHtml(item.name)}</code></td><td>${item.in}${item.required ? ', required' : ''}</td><td>${brief(item.schema)}</td></tr>`,
  )
  return `<h3>Parameters</h3><table><tbody>${rows.join('')}</tbody></table>`
}

function responseSchema(response: unknown) {
  const content = (response as { content?: Record<string, { schema: unknown }> } | undefined)?.content
  return content?.['application/json']?.schema
}

function schema(value: unknown) {
  return value === undefined ? '<p>Nothing.</p>' : `<pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>`
}

function brief(value: unknown) {
  return `<code>${escapeHtml(JSON.stringify(value))}</code>`
}

function escapeHtml(text: string) {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

const STYLE = `
:root{color-scheme:light dark;--ground:#f5f7f8;--sheet:#fff;--line:#e3e8eb;--ink:#152024;--soft:#55646b;--link:#0f7280}
@media(prefers-color-scheme:dark){:root{--ground:#12171a;--sheet:#1a2125;--line:#2b3338;--ink:#e6ecee;--soft:#9aa9b0;--link:#75c4cb}}
body{margin:0;background:var(--ground);color:var(--ink);font:14px/1.5 Inter,system-ui,sans-serif}
header,main{max-width:960px;margin:0 auto;padding:16px}h1{font-size:24px;margin:16px 0 4px}h2{font-size:17px;margin:24px 0 8px}
h3{font-size:13px;margin:12px 16px 4px;color:var(--soft)}p{color:var(--soft)}a{color:var(--link)}nav{display:flex;flex-wrap:wrap;gap:4px 16px}
details{background:var(--sheet);border:1px solid var(--line);border-radius:8px;margin:4px 0}details p{margin:0 16px}
summary{display:flex;flex-wrap:wrap;gap:4px 12px;align-items:baseline;padding:8px 16px;cursor:pointer}summary b{min-width:56px;font-size:12px}
summary span{color:var(--soft)}code,pre{font:12px/1.5 ui-monospace,monospace}pre{margin:4px 16px 16px;padding:12px;overflow:auto;max-height:480px;background:var(--ground);border-radius:8px}
table{margin:0 16px;border-collapse:collapse}td{padding:4px 16px 4px 0;vertical-align:top;overflow-wrap:anywhere}`
