import '@mantine/core/styles/ScrollArea.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import classes from './dropdown.module.css'

/** Of all dropdowns here: the list itself scrolls. In the kit's scroll area no keyboard could reach it. */
export const DROPDOWN = {
  withScrollArea: false,
  classNames: { options: classes.options, inputField: classes.search },
  comboboxProps: { transitionProps: { duration: 100 } },
}
