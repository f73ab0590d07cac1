package dev.fairlead.protocol.tools;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.base.Icon;
import dev.fairlead.protocol.base.MetaKey;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/**
 * A tool as its server defines it. Schemas are kept word for word.
 *
 * @param name the name for programs, unique at its server
 * @param inputSchema the JSON Schema of its arguments
 * @param title the name for people
 * @param description a description of its function, for the model
 * @param outputSchema the JSON Schema of its structured result
 * @param annotations hints about its effects
 * @param execution how it may be called
 * @param icons its icons
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record Tool(
        String name,
        JsonObject inputSchema,
        @Nullable String title,
        @Nullable String description,
        @Nullable JsonObject outputSchema,
        @Nullable ToolAnnotations annotations,
        @Nullable ToolExecution execution,
        @Nullable List<Icon> icons,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers) {
    public Tool {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(inputSchema, "inputSchema");
        icons = icons == null ? null : List.copyOf(icons);
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public Tool(String name, JsonObject inputSchema) {
        this(name, inputSchema, null, null, null, null, null, null, null, JsonObject.EMPTY);
    }

    /** Returns a copy with this {@code inputSchema}. */
    public Tool withInputSchema(JsonObject inputSchema) {
        return new Tool(
                name,
                inputSchema,
                title,
                description,
                outputSchema,
                annotations,
                execution,
                icons,
                meta,
                otherMembers);
    }

    /** Returns a builder of a tool. */
    public static Builder builder(String name, String description, JsonSchema inputSchema) {
        return new Builder(name, description, inputSchema.json());
    }

    /**
     * Returns the text to show to a user: the title, the title of the annotations, or else the
     * name.
     */
    public String displayName() {
        if (title != null) {
            return title;
        }
        return annotations != null && annotations.title() != null ? annotations.title() : name;
    }

    /** Returns whether the tool may be called as a task. */
    public TaskSupport taskSupport() {
        return execution == null || execution.taskSupport() == null
                ? TaskSupport.FORBIDDEN
                : execution.taskSupport();
    }

    /** Returns a copy with this name. */
    public Tool withName(String name) {
        return with(name, title, description, outputSchema, annotations, execution, icons, meta);
    }

    /** Collects the parts of a tool. Not thread-safe. */
    public static final class Builder {
        private Tool tool;

        private Builder(String name, String description, JsonObject inputSchema) {
            tool =
                    new Tool(name, inputSchema)
                            .withDescription(Objects.requireNonNull(description, "description"));
        }

        /** Sets the name for people. */
        public Builder title(String title) {
            tool = tool.withTitle(title);
            return this;
        }

        /** Sets the JSON Schema of the structured result. */
        public Builder outputSchema(JsonSchema outputSchema) {
            tool = tool.withOutputSchema(outputSchema.json());
            return this;
        }

        /** Sets hints about the effects. */
        public Builder annotations(ToolAnnotations annotations) {
            tool = tool.withAnnotations(annotations);
            return this;
        }

        /** Sets the icons. */
        public Builder icons(Icon... icons) {
            tool = tool.withIcons(List.of(icons));
            return this;
        }

        /** Returns whether the tool may be called as a task. */
        public Builder taskSupport(TaskSupport taskSupport) {
            tool = tool.withExecution(new ToolExecution().withTaskSupport(taskSupport));
            return this;
        }

        /**
         * Sets additional metadata ({@code _meta}).
         *
         * @throws IllegalArgumentException if a key is not allowed; see {@link MetaKey#checkAll}
         */
        public Builder meta(JsonObject meta) {
            MetaKey.checkAll(meta);
            tool = tool.withMeta(meta);
            return this;
        }

        /** Returns the tool. */
        public Tool build() {
            return tool;
        }
    }

    /** Returns a copy with this {@code title}; null removes it. */
    public Tool withTitle(@Nullable String title) {
        return with(name, title, description, outputSchema, annotations, execution, icons, meta);
    }

    /** Returns a copy with this {@code description}; null removes it. */
    public Tool withDescription(@Nullable String description) {
        return with(name, title, description, outputSchema, annotations, execution, icons, meta);
    }

    /** Returns a copy with this {@code outputSchema}; null removes it. */
    public Tool withOutputSchema(@Nullable JsonObject outputSchema) {
        return with(name, title, description, outputSchema, annotations, execution, icons, meta);
    }

    /** Returns a copy with this {@code annotations}; null removes it. */
    public Tool withAnnotations(@Nullable ToolAnnotations annotations) {
        return with(name, title, description, outputSchema, annotations, execution, icons, meta);
    }

    /** Returns a copy with this {@code execution}; null removes it. */
    public Tool withExecution(@Nullable ToolExecution execution) {
        return with(name, title, description, outputSchema, annotations, execution, icons, meta);
    }

    /** Returns a copy with this {@code icons}; null removes it. */
    public Tool withIcons(@Nullable List<Icon> icons) {
        return with(name, title, description, outputSchema, annotations, execution, icons, meta);
    }

    /** Returns a copy with this {@code _meta}; null removes it. */
    public Tool withMeta(@Nullable JsonObject meta) {
        return with(name, title, description, outputSchema, annotations, execution, icons, meta);
    }

    private Tool with(
            String name,
            @Nullable String title,
            @Nullable String description,
            @Nullable JsonObject outputSchema,
            @Nullable ToolAnnotations annotations,
            @Nullable ToolExecution execution,
            @Nullable List<Icon> icons,
            @Nullable JsonObject meta) {
        return new Tool(
                name,
                inputSchema,
                title,
                description,
                outputSchema,
                annotations,
                execution,
                icons,
                meta,
                otherMembers);
    }
}
