import '@mantine/core/styles/Button.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/Title.layer.css'
import { Button, TextInput, Title } from '@mantine/core'
import { Loading } from '../../ui/feedback/loading.tsx'
import { PasswordInput } from '../../ui/form/password-input.tsx'
import { useDocumentTitle } from '../../ui/page/use-document-title.ts'
import classes from './login.module.css'
import { useSignIn } from './use-sign-in.ts'

export function LoginPage() {
  const { form, email, password, failure, pending } = useSignIn(() => window.location.assign('/'))
  useDocumentTitle('Sign in')

  return (
    <div className={classes.page}>
      <form className={classes.sheet} {...form}>
        <header>
          <Title order={1}>Sign in</Title>
          <p className={classes.summary}>For staff only</p>
        </header>
        <TextInput
          {...email}
          placeholder="name@company.com"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          required
          withAsterisk={false}
        />
        <PasswordInput {...password} required withAsterisk={false} />
        <div className={classes.action}>
          {pending ? <Loading label="Signing in" /> : <Button type="submit">Login</Button>}
        </div>
        {failure && (
          <p className={classes.failure} role="alert">
            {failure}
          </p>
        )}
      </form>
    </div>
  )
}
