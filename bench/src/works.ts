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

const list = '/api/v1/users/'

/** The works of our own API, which the baseline has too. */
export function ourWorks({ middle, last } = { middle: MIDDLE_PAGE, last: LAST_PAGE }): Record<WorkName, Work> {
  return {
    'list page 1': { path: list },
    'list, middle page': { path: `${list}?page=${middle}` },
    'list, last page': { path: `${list}?page=${last}` },
    'list by email, middle page': { path: `${list}?sort=email&page=${middle}` },
    'list by name, middle page': { path: `${list}?sort=full_name&page=${middle}` },
    'search, a common name': { path: `${list}?search=${COMMON_NAME}` },
    'search, part of an email': { path: `${list}?search=${PART_OF_EMAIL}` },
    'read one': { path: `${list}${READ_ID}` },
    'edit one': {
      method: 'PATCH',
      path: (n) => `${list}${editedId(n)}`,
      body: (n) => JSON.stringify({ first_name: newFirstName(n) }),
    },
    'create one': {
      method: 'POST',
      path: '/api/v1/workspaces/',
      body: (n) => JSON.stringify({ ...newWorkspace(n), powerbi_dashboards: [] }),
    },
  }
}
