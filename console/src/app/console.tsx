import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/global.layer.css'
// Imported before all components that build on it.
import '@mantine/core/styles/UnstyledButton.layer.css'
import './theme.css'
import './shared-classes.css'
import { MantineProvider } from '@mantine/core'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import type { createConsoleRouter } from './router.tsx'
import { colorSchemeManager, cssVariablesResolver, theme } from './theme.ts'

export function Console({ router }: { router: ReturnType<typeof createConsoleRouter> }) {
  return (
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
    </StrictMode>
  )
}
