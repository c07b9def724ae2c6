import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  localStorageColorSchemeManager,
} from '@mantine/core'
import field from './field.module.css'
import floating from './floating.module.css'

export const colorSchemeManager = localStorageColorSchemeManager({ key: 'watchdesk-color-scheme' })

export const theme = createTheme({
  primaryColor: 'petrol',
  primaryShade: { light: 7, dark: 4 },
  white: '#ffffff',
  black: '#152024',
  colors: {
    petrol: [
      '#e8f7f8',
      '#d3ecee',
      '#a6d9dd',
      '#75c4cb',
      '#4db2bb',
      '#2f9ea9',
      '#1b8a96',
      '#0f7280',
      '#0b5c68',
      '#074852',
    ],
    dark: [
      '#e6ecee',
      '#c3ced3',
      '#9aa9b0',
      '#6d7d85',
      '#46545b',
      '#343f45',
      '#2b3338',
      '#1a2125',
      '#12171a',
      '#0c1012',
    ],
    red: ['#fff1f0', '#ffe0dd', '#ffcac5', '#ffb3ac', '#ff9b93', '#f5776d', '#d84438', '#b42318', '#951b12', '#76140d'],
  },
  fontFamily: "Inter, 'Inter Fallback', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'DejaVu Sans Mono', Menlo, Consolas, monospace",
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.35' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.4' },
    },
  },
  defaultRadius: 'md',
  radius: { md: '0.5rem', lg: '0.75rem' },
  shadows: { sm: 'var(--wd-shadow)', md: 'var(--wd-shadow)' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input)
    return input.variant === 'filled' ? { ...colors, color: 'var(--wd-on-fill)' } : colors
  },
  components: {
    Input: { classNames: { wrapper: field.wrapper, input: field.input } },
    InputWrapper: { classNames: { label: field.label, required: field.required, error: field.error } },
    Switch: {
      classNames: { track: field.track, thumb: field.thumb, label: field.switchLabel },
      defaultProps: { withThumbIndicator: false },
    },
    Popover: { classNames: { dropdown: floating.dropdown } },
    // Inside the page's landmarks, and after the field in the tab order.
    Combobox: { defaultProps: { withinPortal: false, transitionProps: { duration: 100 } } },
    // A scrollable dropdown would be an extra tab stop, and lose the focus when it closes.
    ComboboxOptions: { defaultProps: { tabIndex: -1 } },
    // Tabbing through a form, or focusing an invalid field, should not open the dropdown.
    Select: { classNames: { options: floating.options }, defaultProps: { openOnFocus: false, withScrollArea: false } },
    MultiSelect: {
      classNames: { options: floating.options, inputField: floating.search },
      defaultProps: { openOnFocus: false, withScrollArea: false },
    },
    Modal: {
      classNames: { title: floating.title },
      // Mantine's header would be a second banner landmark.
      defaultProps: { radius: 'lg', attributes: { header: { role: 'none' } } },
    },
  },
})

/** Replaces Mantine's colors where they fail WCAG AA or do not fit. The tokens handle light and dark. */
const colors = {
  '--mantine-color-text': 'var(--wd-ink)',
  '--mantine-color-bright': 'var(--wd-ink)',
  '--mantine-color-body': 'var(--wd-sheet)',
  '--mantine-color-error': 'var(--wd-error)',
  '--mantine-color-success': 'var(--wd-success)',
  '--mantine-color-placeholder': 'var(--wd-placeholder)',
  '--mantine-color-dimmed': 'var(--wd-soft)',
  '--mantine-color-anchor': 'var(--wd-link)',
  '--mantine-color-default-hover': 'var(--wd-hover)',
  '--mantine-color-default-color': 'var(--wd-ink)',
  '--mantine-color-default-border': 'var(--wd-input-border)',
  '--mantine-primary-color-contrast': 'var(--wd-on-fill)',
}

export const cssVariablesResolver: CSSVariablesResolver = () => ({ variables: {}, light: colors, dark: colors })
