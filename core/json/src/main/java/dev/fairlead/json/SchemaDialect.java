package dev.fairlead.json;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.keyword.AnnotationKeyword;

import dev.fairlead.json.slf4j.Slf4jNotice;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** A dialect of JSON Schema that is supported. */
enum SchemaDialect {
    V2020_12("https://json-schema.org/draft/2020-12/schema", Dialects::getDraft202012),
    V2019_09("https://json-schema.org/draft/2019-09/schema", Dialects::getDraft201909),
    DRAFT_07("http://json-schema.org/draft-07/schema", Dialects::getDraft7);

    private final String id;
    private final Dialect dialect;
    private volatile @Nullable Schema metaSchema; // made twice at worst

    SchemaDialect(String id, Supplier<Dialect> dialect) {
        this.id = id;
        Slf4jNotice.suppress();
        this.dialect = quiet(dialect.get());
    }

    /** Keywords that the dialect does not know are annotations, and no reason to warn. */
    private static Dialect quiet(Dialect dialect) {
        return Dialect.builder(dialect)
                .keyword(new UniqueItems())
                .keyword(new Const())
                .keyword(new Dependencies())
                .keywords(CountedKeyword.of(dialect))
                .unknownKeywordFactory((keyword, context) -> new AnnotationKeyword(keyword))
                .build();
    }

    /**
     * The dialect that a schema declares.
     *
     * @throws JsonSchemaException if it is not supported
     */
    static SchemaDialect of(JsonObject schema) {
        JsonValue declared = schema.get("$schema");
        if (declared == null) {
            return V2020_12;
        }
        String name = declared instanceof JsonString text ? text.value() : declared.toJson();
        String bare = name.endsWith("#") ? name.substring(0, name.length() - 1) : name;
        for (SchemaDialect candidate : values()) {
            if (candidate.id.equals(bare)) {
                return candidate;
            }
        }
        throw new JsonSchemaException(
                "the schema dialect "
                        + name
                        + " is not supported, but "
                        + Arrays.stream(values())
                                .map(dialect -> dialect.id)
                                .collect(Collectors.joining(", ")));
    }

    /** A registry for one schema, so that the identifiers of different schemas do not meet. */
    SchemaRegistry registry() {
        return SchemaValidator.registry(dialect);
    }

    /** Returns the errors of a schema by the meta-schema. */
    List<Error> problems(JsonNode schema) {
        Schema known = metaSchema;
        if (known == null) {
            known = registry().getSchema(SchemaLocation.of(dialect.getId()));
            metaSchema = known;
        }
        return known.validate(schema);
    }
}
