// Where the reader of functions sees one begin and end, in what ours look like.
#include "tests/tidy/functions.h"

#include <gtest/gtest.h>

namespace locklab::tidy {

namespace {

/// "name:line:lines name:line:lines", in the order of the text.
std::string read(const std::string& text) {
    std::string all;
    for (const Function& function : functions_of({"harness/core/x.cpp", text})) {
        all += all.empty() ? "" : " ";
        all += function.name + ":" + std::to_string(function.line) + ":" +
               std::to_string(function.lines);
    }
    return all;
}

TEST(TidyFunctions, are_counted_between_their_braces) {
    EXPECT_EQ(read("int f() { return 1; }\nint g() {}\n"), "f:1:0 g:2:0");
    EXPECT_EQ(read("int f() {\n    return 1;\n}\nint f();\n"), "f:1:1");
    EXPECT_EQ(read("int f(int a,\n      int b) {\n    a++;\n\n    return b;\n}\n"), "f:2:3");
    EXPECT_EQ(read("#define F(x) \\\n    int x() {\n#if X\nint f() {\n}\n#endif\n"), "f:4:0");
    EXPECT_EQ(read("int f() {\n    g(\"}\", '}');  // }\n    return 1;\n}\n"), "f:1:2");
}

TEST(TidyFunctions, have_all_that_is_inside) {
    EXPECT_EQ(read("void f() {\n    for (int i = 0; i < 2; ++i) {\n        g();\n    }\n"
                   "    struct Local {\n        int h() {\n            return 1;\n        }\n"
                   "    };\n    const auto k = [](int a) {\n        return a;\n    };\n}\n"),
              "f:1:11");
}

TEST(TidyFunctions, are_found_in_namespaces_and_classes) {
    EXPECT_EQ(read("namespace a::b {\nnamespace {\nint f() {\n}\n}  // namespace\n\n"
                   "int X::g() {\n}\n}  // namespace a::b\n"),
              "f:3:0 X::g:7:0");
    EXPECT_EQ(read("class X : public Y<int(int)> {\npublic:\n    int f() const override {\n"
                   "        return 1;\n    }\n\nprivate:\n    int g() && noexcept {\n    }\n"
                   "    int n_ = 0;\n};\nenum class Z : int { a, b };\nint h() {\n}\n"),
              "f:3:1 g:8:0 h:13:0");
    EXPECT_EQ(read("bool X::operator<(const X& x) const {\n    return n_ < x.n_;\n}\n"),
              "an operator:1:1");
}

TEST(TidyFunctions, may_be_declared_in_many_ways) {
    EXPECT_EQ(read("template <class T, class U>\nauto f(T t) -> std::vector<U> {\n}\n"), "f:2:0");
    EXPECT_EQ(read("std::function<void(int)> f(int a = g(1), X x = {}) {\n    a++;\n}\n"), "f:1:1");
    EXPECT_EQ(read("X::X(int a) : Y(a), b_{1}, c_{f(a), {2}} {\n    g();\n}\n"), "X::X:1:1");
    EXPECT_EQ(read("X::~X() {\n    g();\n}\n"), "X::~X:1:1");
    EXPECT_EQ(read("[[noreturn]] void f() {\n    g();\n}\n"), "f:1:1");
}

TEST(TidyFunctions, are_no_values) {
    EXPECT_EQ(read("const X kX = f(1);\nconst Y kY{f(1), {g(2)}};\nconst Z kZ{\n    {f(1),\n"
                   "     {2}},\n    {g(1), X{2}},\n};\nint h() {\n}\n"),
              "h:8:0");
    EXPECT_EQ(read("const auto kF = [](int a) {\n    return a;\n};\n"
                   "const X kX{{\"x\", [](int a) {\n    a++;\n    return a;\n}}};\n"),
              "a lambda:1:1 a lambda:4:2");
}

}  // namespace

}  // namespace locklab::tidy
