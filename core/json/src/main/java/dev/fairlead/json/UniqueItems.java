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
import tools.jackson.databind.node.BooleanNode;

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
            if (node.isArray() && schemaNode.equals(BooleanNode.TRUE)) {
                int alike = EqualHashes.most(node);
                if (alike > EqualHashes.MOST) {
                    throw new BoundedPattern.TooCostly();
                }
                Validation.spend(
                        context, (Validation.LOOKUPS_PER_STEP + alike) * SchemaTree.size(node));
            }
            super.validate(context, node, root, place);
        }
    }
}
