import type { LinkProps } from '@tanstack/react-router'
import type { IconName } from '../ui/display/icon.tsx'

type Entry = {
  label: string
  to: NonNullable<LinkProps['to']>
  icon: IconName
  /** The rest is for super admins alone. */
  isForWorkspaceAdmins?: boolean
}

/** The side menu, in the order of the specification. What workspace admins may open comes first: nothing moves when the rest joins. */
export const MENU: Entry[] = [
  { label: 'Users', to: '/users', icon: 'users', isForWorkspaceAdmins: true },
  { label: 'Workspaces', to: '/workspaces', icon: 'building', isForWorkspaceAdmins: true },
  { label: 'Source management', to: '/source_management', icon: 'swap' },
  { label: 'Source import', to: '/source_import', icon: 'file-in' },
  { label: 'Stories import', to: '/stories_import', icon: 'book' },
  { label: 'Narratives vectorization', to: '/narratives_vectorization', icon: 'vector' },
  { label: 'Website config', to: '/website_config', icon: 'gear' },
  { label: 'PowerBI Dashboards', to: '/dashboards', icon: 'chart' },
]
