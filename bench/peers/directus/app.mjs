// Directus, configured by environment variables. Its own command does not print the port that the system chose.
import { createServer } from '@directus/api/server'

const server = await createServer()
server.listen(0, '127.0.0.1', () => {
  console.log(`Directus is ready at http://127.0.0.1:${server.address().port} `)
})
