import { createRoot } from 'react-dom/client'
import { onTokenChangedElsewhere } from './api/token.ts'
import { Console } from './app/console.tsx'
import { createConsoleRouter } from './app/router.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element with the id root')

onTokenChangedElsewhere((token) => {
  // A signed-in user who only gets a new token stays on the page and keeps unsaved input.
  if (token === null) window.location.assign('/login')
  else if (window.location.pathname === '/login') window.location.assign('/')
})

createRoot(root).render(<Console router={createConsoleRouter()} />)
