import type { Work, WorkName } from './contender.ts'
import {
  COMMON_NAME,
  editedId,
  LAST_PAGE,
  MIDDLE_PAGE,
  newFirstName,
  newWorkspace,
  PART_OF_EMAIL,
  READ_ID,
} from './inputs.ts'

const users = '/api/v1/users/'

/** The works of our own API, which the baseline has too. */
export const OUR_WORKS: Record<WorkName, Work> = {
  'list page 1': { path: users },
  'list, middle page': { path: `${users}?page=${MIDDLE_PAGE}` },
  'list, last page': { path: `${users}?page=${LAST_PAGE}` },
  'list by email, middle page': { path: `${users}?sort=email&page=${MIDDLE_PAGE}` },
  'list by name, middle page': { path: `${users}?sort=full_name&page=${MIDDLE_PAGE}` },
  'search, a common name': { path: `${users}?search=${COMMON_NAME}` },
  'search, part of an email': { path: `${users}?search=${PART_OF_EMAIL}` },
  'read one': { path: `${users}${READ_ID}` },
  'edit one': {
    method: 'PATCH',
    path: (n) => `${users}${editedId(n)}`,
    body: (n) => JSON.stringify({ first_name: newFirstName(n) }),
  },
  'create one': {
    method: 'POST',
    path: '/api/v1/workspaces/',
    body: (n) => JSON.stringify({ ...newWorkspace(n), powerbi_dashboards: [] }),
  },
}
