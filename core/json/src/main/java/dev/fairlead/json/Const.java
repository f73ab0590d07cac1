package dev.fairlead.json;

import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.keyword.ConstValidator;
import com.networknt.schema.keyword.Keyword;
import com.networknt.schema.keyword.KeywordValidator;
import com.networknt.schema.path.NodePath;

import tools.jackson.databind.JsonNode;

/**
 * The keyword {@code const}. That of the library writes the constant and the value as JSON for each
 * error, also where another alternative fits, which takes hours for large ones.
 */
final class Const implements Keyword {
    @Override
    public String getValue() {
        return "const";
    }

    @Override
    public KeywordValidator newValidator(
            SchemaLocation location, JsonNode value, Schema schema, SchemaContext context) {
        return new Written(location, value, schema, context);
    }

    /** Has the text of the constant from the beginning, as far as a message has it. */
    private static final class Written extends ConstValidator {
        private final JsonNode constant;
        private final long size;
        private final String text;

        Written(SchemaLocation location, JsonNode value, Schema schema, SchemaContext context) {
            super(location, value, schema, context);
            constant = value;
            size = SchemaTree.size(value);
            text = Reading.cut(value.asString(value.toString()));
        }

        @Override
        public void validate(
                ExecutionContext context, JsonNode node, JsonNode root, NodePath place) {
            Validation.spend(context, size);
            if (constant.equals(Written::compare, node)) {
                return;
            }
            context.addError(
                    error().instanceNode(node)
                            .instanceLocation(place)
                            .evaluationPath(context.getEvaluationPath())
                            .locale(context.getExecutionConfig().getLocale())
                            .arguments(text)
                            .build());
        }

        /** Numbers are equal by value, as 1 and 1.0. */
        private static int compare(JsonNode one, JsonNode other) {
            return one.isNumber() && other.isNumber()
                    ? one.decimalValue().compareTo(other.decimalValue())
                    : one.equals(other) ? 0 : 1;
        }
    }
}
