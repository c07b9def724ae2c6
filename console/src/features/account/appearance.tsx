import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Radio.layer.css'
import { type MantineColorScheme, Radio, useMantineColorScheme } from '@mantine/core'
import { SCHEMES } from '../../ui/display/schemes.ts'
import classes from './page.module.css'
import { Card } from './shared/card.tsx'

/** The same choice as in the top bar. */
export function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Card id="appearance" title="Appearance" about="Applies to this browser only.">
      <Radio.Group
        label="Color scheme"
        value={colorScheme}
        onChange={(value) => setColorScheme(value as MantineColorScheme)}
      >
        <div className={classes.choices}>
          {SCHEMES.map(({ value, label }) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </div>
      </Radio.Group>
    </Card>
  )
}
