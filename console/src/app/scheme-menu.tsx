import {
  type MantineColorScheme,
  Menu,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { Icon } from '../ui/display/icon.tsx'
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
    <Menu position="bottom-end" width={190} withinPortal={false} transitionProps={{ duration: 100 }}>
      <Menu.Target>
        <UnstyledButton className={classes.target} aria-label="Color scheme" title="Color scheme">
          <Icon name={shown === 'dark' ? 'moon' : 'sun'} size={20} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as MantineColorScheme)}>
          {SCHEMES.map(({ value, label }) => (
            <Menu.RadioItem key={value} value={value}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
