type Headers = Readonly<Record<string, string>>;

const POLICY = 'Content-Security-Policy';

/**
 * Returns the headers of a preview, which may be framed: by pages of the same origin, such as the editor, and by no
 * others. `policy`: its content policy otherwise.
 */
export function previewHeaders(policy: string | undefined): Headers {
  return {
    'X-Frame-Options': 'SAMEORIGIN',
    ...(policy !== undefined && { [POLICY]: policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'") }),
  };
}

/** Returns the headers of the editor, which frames previews of the same origin. */
export function editorHeaders(policy: string | undefined): Headers {
  return policy === undefined ? {} : { [POLICY]: `${policy};frame-src 'self'` };
}
