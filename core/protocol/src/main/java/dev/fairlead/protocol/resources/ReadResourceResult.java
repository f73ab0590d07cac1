package dev.fairlead.protocol.resources;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.caching.CacheHint;
import dev.fairlead.protocol.caching.CacheableResult;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/**
 * The contents of a resource; several where it has parts.
 *
 * @param contents the contents
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record ReadResourceResult(
        List<ResourceContents> contents,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements CacheableResult {
    public ReadResourceResult {
        contents = List.copyOf(contents);
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public ReadResourceResult(List<ResourceContents> contents) {
        this(contents, null, JsonObject.EMPTY);
    }

    /** Returns the contents of a resource or its parts. */
    public static ReadResourceResult of(ResourceContents... contents) {
        return new ReadResourceResult(List.of(contents));
    }

    /**
     * Returns the only contents as text.
     *
     * @throws IllegalStateException if there are several or none, or they are bytes
     */
    public String text() {
        String text = only().text();
        if (text == null) {
            throw new IllegalStateException("the contents of " + only().uri() + " are bytes");
        }
        return text;
    }

    /**
     * Returns the only contents as bytes, a text in UTF-8.
     *
     * @throws IllegalStateException if there are several or none
     */
    public byte[] bytes() {
        return only().bytes();
    }

    private ResourceContents only() {
        if (contents.size() != 1) {
            throw new IllegalStateException(
                    "one part was expected but there are " + contents.size());
        }
        return contents.get(0);
    }

    @Override
    public ReadResourceResult withMeta(@Nullable JsonObject meta) {
        return new ReadResourceResult(contents, meta, otherMembers);
    }

    @Override
    public ReadResourceResult withCacheHint(@Nullable CacheHint hint) {
        return (ReadResourceResult) CacheableResult.super.withCacheHint(hint);
    }

    @Override
    public ReadResourceResult withOtherMembers(JsonObject otherMembers) {
        return new ReadResourceResult(contents, meta, otherMembers);
    }
}
