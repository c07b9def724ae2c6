import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/global.layer.css'
// Imported before all components that build on it.
import '@mantine/core/styles/UnstyledButton.layer.css'
import './app/theme.css'
import './app/shared-classes.css'
import { MantineProvider } from '@mantine/core'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { onTokenChangedElsewhere } from './api/token.ts'
import { router } from './app/router.tsx'
import { colorSchemeManager, cssVariablesResolver, theme } from './app/theme.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element with the id root')

onTokenChangedElsewhere((token) => {
  // A signed-in user who only gets a new token stays on the page and keeps unsaved input.
  if (token === null) window.location.assign('/login')
  else if (window.location.pathname === '/login') window.location.assign('/')
})

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      // Every CSS variable is set here, so Mantine's default variables need not be loaded.
      deduplicateCssVariables={false}
    >
      <RouterProvider router={router} />
    </MantineProvider>
  </StrictMode>,
)
