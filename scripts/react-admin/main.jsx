import Chip from '@mui/material/Chip'
import { Admin, DataTable, DeleteButton, EditButton, FunctionField, List, Resource } from 'react-admin'
import { createRoot } from 'react-dom/client'
import { Link } from 'react-router'

const PAGE_SIZE = 20

const dataProvider = {
  async getList(resource, { pagination, signal }) {
    const query = new URLSearchParams({ page: pagination.page, page_size: pagination.perPage })
    const headers = { authorization: `Bearer ${localStorage.getItem('access_token')}` }
    const response = await fetch(`/api/v1/${resource}/?${query}`, { headers, signal })
    const { objects, total } = await response.json()
    return { data: objects, total }
  },
}

/** The columns of our users list, with only react-admin's defaults around it. */
function UsersList() {
  return (
    <List perPage={PAGE_SIZE} exporter={false}>
      <DataTable bulkActionButtons={false} rowClick={false}>
        <DataTable.Col source="id" label="ID" />
        <DataTable.Col label="Workspace">
          <FunctionField
            render={({ workspace_id, workspace }) => <Link to={`/workspaces/${workspace_id}`}>{workspace.name}</Link>}
          />
        </DataTable.Col>
        <DataTable.Col source="full_name" label="Full Name">
          <FunctionField render={({ first_name, last_name }) => `${first_name} ${last_name}`} />
        </DataTable.Col>
        <DataTable.Col source="email" />
        <DataTable.Col label="Roles">
          <FunctionField
            render={({ is_super_admin, is_admin }) => (
              <>
                {is_super_admin && <Chip size="small" label="Super admin" />}
                {is_admin && <Chip size="small" label="Workspace admin" />}
              </>
            )}
          />
        </DataTable.Col>
        <DataTable.Col label="Type" source="type" disableSort />
        <DataTable.Col label="Language">
          <FunctionField render={({ language }) => language || 'Auto'} />
        </DataTable.Col>
        <DataTable.Col>
          <EditButton />
          <DeleteButton />
        </DataTable.Col>
      </DataTable>
    </List>
  )
}

createRoot(document.getElementById('root')).render(
  <Admin dataProvider={dataProvider} disableTelemetry>
    <Resource name="users" list={UsersList} />
  </Admin>,
)
