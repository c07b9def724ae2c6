import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/global.layer.css'
// Before all components that are built on it, whichever of them is loaded first.
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
  // Whoever is signed in and only gets a new token stays where they are, with all they have entered.
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
      // All variables come from here, so the style sheet with the kit's defaults need not be loaded.
      deduplicateCssVariables={false}
    >
      <RouterProvider router={router} />
    </MantineProvider>
  </StrictMode>,
)
