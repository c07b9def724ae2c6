// AdminJS with its SQL adapter on the tables of Watchdesk, without sign-in.
import AdminJSExpress from '@adminjs/express'
import { Adapter, Database, Resource } from '@adminjs/sql'
import AdminJS from 'adminjs'
import express from 'express'

const connectionString = process.env.DATABASE_URL
const { pathname } = new URL(connectionString)

AdminJS.registerAdapter({ Database, Resource })
// The adapter's pool has at most 10 connections.
const database = await new Adapter('postgresql', { connectionString, database: pathname.slice(1) }).init()
const generated = { isVisible: { list: false, show: false, edit: false, filter: true } }
const admin = new AdminJS({
  rootPath: '/admin',
  resources: [
    {
      resource: database.table('users'),
      options: {
        sort: { sortBy: 'id', direction: 'asc' },
        properties: { password_hash: { isVisible: false }, full_name: generated, search_text: generated },
      },
    },
    { resource: database.table('workspaces'), options: { properties: { search_text: generated } } },
  ],
})
const app = express()
app.use(admin.options.rootPath, AdminJSExpress.buildRouter(admin))
const server = app.listen(0, '127.0.0.1', () => {
  console.log(`AdminJS is ready at http://127.0.0.1:${server.address().port} `)
})
