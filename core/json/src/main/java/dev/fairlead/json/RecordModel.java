package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** A record as reflection finds it, or as the compiler sees it ({@link TypeCheck}). */
interface RecordModel {
    /** Equal for the same record with the same type arguments: by it a record finds itself. */
    Object identity();

    Class<?> type();

    @Nullable String doc();

    /** Whether it stands on the wire as its only component. */
    boolean isInline();

    /** Returns the discriminators that it has as a member of any type. */
    List<RecordShape.Discriminator> discriminators();

    RecordAccess access();

    List<ComponentModel> components();
}
