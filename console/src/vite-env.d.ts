interface ImportMetaEnv {
  /** The API's origin, when it is not the console's own. */
  readonly VITE_API_URL?: string
}
