import { parser } from '@prometheus-io/lezer-promql';

/** The metrics and labels that an expression uses. */
export interface Query {
  /** The metrics, each with the labels by which it is selected. */
  selectors: { metric: string; labels: string[] }[];
  /** The labels by which it groups. */
  groupings: string[];
}

/** Parses an expression with Prometheus' own grammar. Throws if it is not valid. */
export function readQuery(expression: string): Query {
  const query: Query = { selectors: [], groupings: [] };
  parser.parse(expression).iterate({
    enter({ type, from, to, node }) {
      const text = expression.slice(from, to);
      if (type.isError) throw new Error(`invalid PromQL at offset ${from}: ${expression}`);
      if (type.name === 'VectorSelector') {
        const name = node.getChild('Identifier');
        if (!name) throw new Error(`a selector without a name: ${expression}`);
        query.selectors.push({ metric: expression.slice(name.from, name.to), labels: [] });
      }
      if (type.name !== 'LabelName') return;
      if (node.parent?.name === 'GroupingLabels') query.groupings.push(text);
      else query.selectors.at(-1)!.labels.push(text);
    },
  });
  return query;
}
