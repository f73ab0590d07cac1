package dev.fairlead.json;

import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.keyword.Keyword;
import com.networknt.schema.keyword.KeywordValidator;
import com.networknt.schema.keyword.UniqueItemsValidator;
import com.networknt.schema.path.NodePath;

import tools.jackson.databind.JsonNode;

/** The keyword {@code uniqueItems}, for arrays of a peer: see {@link EqualHashes}. */
final class UniqueItems implements Keyword {
    @Override
    public String getValue() {
        return "uniqueItems";
    }

    @Override
    public KeywordValidator newValidator(
            SchemaLocation location, JsonNode value, Schema schema, SchemaContext context) {
        return new Bounded(location, value, schema, context);
    }

    /** The validator of the library, which puts the items into a table. */
    private static final class Bounded extends UniqueItemsValidator {
        Bounded(SchemaLocation location, JsonNode value, Schema schema, SchemaContext context) {
            super(location, value, schema, context);
        }

        @Override
        public void validate(
                ExecutionContext context, JsonNode node, JsonNode root, NodePath place) {
            if (node.isArray() && EqualHashes.areTooMany(node)) {
                throw new BoundedPattern.TooCostly();
            }
            super.validate(context, node, root, place);
        }
    }
}
