package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** A sealed interface as reflection finds it, or as code describes it. */
interface SealedModel {
    /** Equal for the same interface with the same type arguments. */
    Object identity();

    Class<?> type();

    @Nullable String doc();

    /** The member that tells the cases apart. */
    String discriminator();

    /** The value that an absent member means; empty if the member must be there. */
    String valueOfAbsent();

    List<Case> cases();

    /** A record, and the value of the discriminator that stands for it. */
    record Case(String value, RecordModel model) {}
}
