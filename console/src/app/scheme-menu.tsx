import { type MantineColorScheme, UnstyledButton, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { Icon } from '../ui/display/icon.tsx'
import { Menu, MenuItem } from '../ui/menu/menu.tsx'
import classes from './scheme-menu.module.css'

const SCHEMES: { value: MantineColorScheme; label: string }[] = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'System' },
]

export function SchemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const shown = useComputedColorScheme('light', { getInitialValueInEffect: false })
  return (
    <Menu
      className={classes.menu}
      target={(props) => (
        <UnstyledButton {...props} className={classes.target} aria-label="Color scheme" title="Color scheme">
          <Icon name={shown === 'dark' ? 'moon' : 'sun'} size={20} />
        </UnstyledButton>
      )}
    >
      {SCHEMES.map(({ value, label }) => (
        <MenuItem key={value} isChosen={value === colorScheme} onClick={() => setColorScheme(value)}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  )
}
