import { useQuery } from '@tanstack/react-query'
import { listOperations } from '@watchdesk/contract/operations/operations'
import { hasCallQuery } from '../../../api/has-call.ts'
import { currentUserQuery } from '../../auth/queries.ts'

/** Only super admins change many records at once. Other backends without imports cannot. */
export function useCanChangeMany() {
  const { data: me } = useQuery(currentUserQuery)
  // Found out by the side menu.
  const { data: hasImports } = useQuery({ ...hasCallQuery(listOperations), enabled: false })
  return me?.is_super_admin === true && hasImports !== false
}
