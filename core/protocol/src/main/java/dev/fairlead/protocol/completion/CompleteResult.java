package dev.fairlead.protocol.completion;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.base.Result;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/**
 * Values that complete the typed text.
 *
 * @param completion the values
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record CompleteResult(
        Completion completion,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements Result {
    public CompleteResult {
        Objects.requireNonNull(completion, "completion");
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public CompleteResult(Completion completion) {
        this(completion, null, JsonObject.EMPTY);
    }

    /** The greatest number of values in a result. */
    public static final int MAX_VALUES = 100;

    /** Returns these values, the first {@value #MAX_VALUES} of them, with their total number. */
    public static CompleteResult of(List<String> values) {
        boolean more = values.size() > MAX_VALUES;
        return new CompleteResult(
                new Completion(more ? values.subList(0, MAX_VALUES) : values)
                        .withTotal((long) values.size())
                        .withHasMore(more));
    }

    /**
     * The values themselves.
     *
     * @param values the best ones first
     * @param total the total number
     * @param hasMore whether there are more than these
     * @param otherMembers members that this library does not know; written back as they came
     */
    public record Completion(
            List<String> values,
            @Nullable Long total,
            @Nullable Boolean hasMore,
            @OtherMembers JsonObject otherMembers) {
        public Completion {
            values = List.copyOf(values);
            Objects.requireNonNull(otherMembers, "otherMembers");
        }

        /** Creates an instance without the optional members. */
        public Completion(List<String> values) {
            this(values, null, null, JsonObject.EMPTY);
        }

        /** Returns a copy with this {@code total}; null removes it. */
        public Completion withTotal(@Nullable Long total) {
            return new Completion(values, total, hasMore, otherMembers);
        }

        /** Returns a copy with this {@code hasMore}; null removes it. */
        public Completion withHasMore(@Nullable Boolean hasMore) {
            return new Completion(values, total, hasMore, otherMembers);
        }
    }

    @Override
    public CompleteResult withMeta(@Nullable JsonObject meta) {
        return new CompleteResult(completion, meta, otherMembers);
    }
}
