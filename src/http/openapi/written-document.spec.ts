import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { withServer } from './written-document.js';

const JSON_TEXT = '{"info":{"title":"a"},"servers":[{"url":"/"}],"tags":[{"description":"\\"servers\\":["}]}';
const YAML_TEXT = 'info:\n  title: |-\n    servers:\nservers:\n  - url: /\ntags: []\n';

describe('withServer', () => {
  it.each(['https://status.example.com', 'https://example.com/$&"'])('puts %s first, in each form', (url) => {
    const servers = [{ url }, { url: '/' }];
    expect(JSON.parse(withServer(JSON_TEXT, 'json', url))).toMatchObject({ servers, info: { title: 'a' } });
    expect(parse(withServer(YAML_TEXT, 'yaml', url))).toEqual({ servers, info: { title: 'servers:' }, tags: [] });
  });
});
