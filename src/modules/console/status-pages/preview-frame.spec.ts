import { describe, expect, it } from '@jest/globals';
import { editorHeaders, previewHeaders } from './preview-frame.js';

const POLICY = "default-src 'none';img-src 'self';frame-ancestors 'none'";

describe('the headers of a preview', () => {
  it('allow framing by the same origin and change nothing else', () => {
    expect(previewHeaders(POLICY)).toEqual({
      'X-Frame-Options': 'SAMEORIGIN',
      'Content-Security-Policy': "default-src 'none';img-src 'self';frame-ancestors 'self'",
    });
  });

  it('add no policy where the service has none', () => {
    expect(previewHeaders(undefined)).toEqual({ 'X-Frame-Options': 'SAMEORIGIN' });
  });
});

describe('the headers of the editor', () => {
  it('allow frames of the same origin, and still no framing of the editor', () => {
    expect(editorHeaders(POLICY)).toEqual({ 'Content-Security-Policy': `${POLICY};frame-src 'self'` });
    expect(editorHeaders(undefined)).toEqual({});
  });
});
