import { currentUser } from '@watchdesk/contract/session'
import { section } from '../account-page.ts'
import { ME } from './records.ts'
import { expect, test } from './test.ts'

test('someone whose password ended with single sign-on is told that it is the only way now', async ({
  page,
  backend,
  open,
}) => {
  const notices = [{ id: 1, kind: 'replaced_by_sso' as const, by: null, at: '2026-11-17T01:00:00.000Z' }]
  backend.answer(currentUser, { ...ME, notices })
  await open('/users')
  await expect(section(page, 'Notices').getByRole('status')).toHaveText(
    /^Single sign-on is now your only way to sign in, since .+\. Other ways were removed\.$/,
  )
})
