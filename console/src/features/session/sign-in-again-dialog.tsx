import '../../ui/dialog/dialog-styles.ts'
import { Button, Modal, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import classes from '../../ui/dialog/dialog.module.css'
import { Loading } from '../../ui/feedback/loading.tsx'
import { PasswordInput } from '../../ui/form/password-input.tsx'
import { currentUserQuery, leave } from './queries.ts'
import { useSignIn } from './use-sign-in.ts'

/** Above any other open dialog. */
const Z_INDEX = 500

export function SignInAgainDialog({ onSignedIn }: { onSignedIn: () => void }) {
  const { data: user } = useQuery(currentUserQuery)
  const { form, email, password, failure, pending } = useSignIn(onSignedIn)

  return (
    <Modal
      opened
      centered
      title="Sign in again"
      zIndex={Z_INDEX}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      onClose={() => {}}
      transitionProps={{ duration: 120 }}
    >
      <form className={classes.form} {...form}>
        <p className={classes.text}>
          Your session has ended. Sign in to continue where you left off. Nothing you entered is lost.
        </p>
        {/* Another user must not continue on this user's page. */}
        <TextInput {...email} defaultValue={user?.email} readOnly={pending || user !== undefined} />
        <PasswordInput {...password} data-autofocus />
        {failure && (
          <p className="error-text" role="alert">
            {failure}
          </p>
        )}
        <div className={classes.actions}>
          <Button variant="default" onClick={leave}>
            Logout
          </Button>
          {pending ? <Loading label="Signing in" /> : <Button type="submit">Login</Button>}
        </div>
      </form>
    </Modal>
  )
}
