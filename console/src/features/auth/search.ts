/** How a single sign-on ended: `done`, or a code that says what went wrong. */
export function ssoSearch({ sso }: Record<string, unknown>): { sso?: string } {
  return typeof sso === 'string' ? { sso } : {}
}
