import { UnstyledButton, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { Icon } from '../ui/display/icon.tsx'
import { SCHEMES } from '../ui/display/schemes.ts'
import { Menu, MenuItem } from '../ui/menu/menu.tsx'
import classes from './scheme-menu.module.css'

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
