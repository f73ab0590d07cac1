package kotlin.jvm.internal;

/** Stands for the class by which the Kotlin compiler marks constructors of default values. */
public final class DefaultConstructorMarker {
    private DefaultConstructorMarker() {}
}
