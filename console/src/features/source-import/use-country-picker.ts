import type { Country } from '@watchdesk/contract/countries'
import { useEffect, useState } from 'react'
import type { CountryEditor } from './country-editor.tsx'
import type { OpenFile } from './open-file.ts'

export type CountryPicker = { Editor: typeof CountryEditor; countries: Country[] }

/**
 * Loaded before a country is edited, not when: the key that starts the edit would be lost. The worker has the names
 * anyway, so the page does not load them a second time.
 */
export function useCountryPicker(opened: OpenFile | undefined) {
  const [picker, setPicker] = useState<CountryPicker>()
  useEffect(() => {
    if (!opened) return
    Promise.all([import('./country-editor.tsx'), opened.countries()]).then(
      ([{ CountryEditor: Editor }, countries]) => setPicker({ Editor, countries }),
      // Without it, the name or code is typed.
      () => {},
    )
  }, [opened])
  return picker
}
