import { createRoot } from 'react-dom/client'
import { Console } from '../src/app/console.tsx'
import { createConsoleRouter } from '../src/app/router.tsx'
import { hideToast, openToasts } from '../src/ui/feedback/toast-store.ts'

let unmount = () => {}

window.gallery = {
  open(address) {
    window.gallery.close()
    window.history.replaceState(null, '', address)
    mount()
  },
  close() {
    unmount()
    unmount = () => {}
    for (const { id } of openToasts()) hideToast(id)
  },
}

function mount() {
  const router = createConsoleRouter()
  const box = document.body.appendChild(document.createElement('div'))
  const root = createRoot(box)
  root.render(<Console router={router} />)
  unmount = () => {
    root.unmount()
    box.remove()
    router.history.destroy()
  }
}

if (window.location.pathname !== '/empty') mount()
