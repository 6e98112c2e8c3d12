//! Each primitive by rows whose outputs are worked out by hand: at 0 and 1 elements, for counts beyond an array and below 0, and for ranks 0 to 4.
//! The types of each row hold; the evaluator, the CPU, and the CPU with all vectors stored print its output.

#![allow(missing_docs)]

mod comparing;
mod naive;

use std::collections::BTreeSet;
use std::path::PathBuf;

use comparing::opaque::opaque;
use comparing::{compared, run_on};
use naive::{Settings, evaluate};
use obsidian_rt::Device;
use tail::lexer::{Token, tokens};
use tail::types::signatures::{OTHERS, SIGNATURES};

/// The letter of the element's type, an expression, and what it prints. `A2`, `A3` and `A4` are arrays of rank 2 to 4: 2 x 3, 2 x 3 x 2 and
/// 2 x 1 x 2 x 2, with 1, 2, 3 and so on.
const ROWS: &[(char, &str, &str)] = &[
    // Whole numbers.
    ('I', "addi(2,-5)", "[](-3)"),
    ('I', "subi(2,-5)", "[](7)"),
    ('I', "muli(-4,6)", "[](-24)"),
    (
        'I',
        "[resi(5,13),resi(5,-13),resi(-5,13),resi(-5,-13)]",
        "[4](3,2,-2,-3)",
    ),
    (
        'I',
        "[resi(0,13),resi(0,-13),resi(5,0),resi(-5,10)]",
        "[4](13,-13,0,0)",
    ),
    ('I', "[maxi(3,-9),mini(3,-9)]", "[2](3,-9)"),
    (
        'I',
        "[andi(6,3),ori(6,3),xori(6,3),noti(5)]",
        "[4](2,7,5,-6)",
    ),
    ('I', "[shli(3,4),shri(-2,31),shari(-9,1)]", "[3](48,1,-5)"),
    ('I', "[absi(-7),absi(7),negi(7)]", "[3](7,7,-7)"),
    ('I', "[signi(-3),signi(0),signi(3)]", "[3](-1,0,1)"),
    ('B', "gtei(nowi(0),0)", "[](1)"),
    (
        'B',
        "[lti(1,2),lti(2,2),lti(3,2),ltei(1,2),ltei(2,2),ltei(3,2)]",
        "[6](1,0,0,1,1,0)",
    ),
    (
        'B',
        "[gti(1,2),gti(2,2),gti(3,2),gtei(1,2),gtei(2,2),gtei(3,2)]",
        "[6](0,0,1,0,1,1)",
    ),
    (
        'B',
        "[eqi(1,2),eqi(2,2),neqi(1,2),neqi(2,2)]",
        "[4](0,1,1,0)",
    ),
    // Real numbers.
    (
        'D',
        "[addd(0.5,-2.0),subd(0.5,-2.0),muld(0.5,-2.0),divd(1.0,-8.0)]",
        "[4](-1.5,2.5,-1.0,-0.125)",
    ),
    (
        'D',
        "[resd(2.5,7.0),resd(-2.5,7.0),resd(2.5,-7.0),resd(0.0,-1.5)]",
        "[4](2.0,-0.5,0.5,-1.5)",
    ),
    (
        'D',
        "[maxd(-1.0,-2.0),mind(-1.0,-2.0),powd(2.0,-2.0)]",
        "[3](-1.0,-2.0,0.25)",
    ),
    // Known exponents.
    (
        'D',
        "each{[double,double],[1]}(fn v1:[double]0 => powd(v1,0.5),[4.0,-0.0,0.0,inf,-inf])",
        "[5](2.0,0.0,0.0,HUGE_VAL,HUGE_VAL)",
    ),
    (
        'D',
        "each{[double,double],[1]}(fn v1:[double]0 => powd(v1,-1.0),[4.0,-0.5,0.0,-0.0,inf])",
        "[5](0.25,-2.0,HUGE_VAL,-HUGE_VAL,0.0)",
    ),
    (
        'D',
        "each{[double,double],[1]}(fn v1:[double]0 => addd(powd(v1,0.0),addd(powd(v1,3.0),powd(v1,8.0))),[0.0,-1.0,2.0])",
        "[3](1.0,1.0,265.0)",
    ),
    (
        'I',
        "each{[int,int],[1]}(fn v1:[int]0 => resi(7,v1),[0,6,7,-1,-7,-8,-2147483648])",
        "[7](0,6,0,6,0,6,5)",
    ),
    (
        'D',
        "[absd(-0.25),absd(0.25),negd(0.25)]",
        "[3](0.25,0.25,-0.25)",
    ),
    (
        'D',
        "[expd(1.0),ln(7.38905609893)]",
        "[2](2.71828182846,2.0)",
    ),
    (
        'D',
        "[sin(0.523598775598),cos(1.0471975512),tan(0.785398163397)]",
        "[3](0.5,0.5,1.0)",
    ),
    (
        'D',
        "[asin(0.5),acos(0.5),atan(1.0)]",
        "[3](0.523598775598,1.0471975512,0.785398163397)",
    ),
    (
        'D',
        "[sinh(1.0),cosh(1.0),tanh(1.0)]",
        "[3](1.17520119364,1.54308063482,0.761594155956)",
    ),
    ('D', "pi()", "[](3.14159265359)"),
    ('I', "[signd(-2.0),signd(0.0),signd(3.0)]", "[3](-1,0,1)"),
    (
        'I',
        "[floor(-0.5),floor(0.5),ceil(-0.5),ceil(0.5)]",
        "[4](-1,0,0,1)",
    ),
    (
        'B',
        "[ltd(1.0,2.0),ltd(2.0,2.0),lted(2.0,2.0),lted(3.0,2.0)]",
        "[4](1,0,1,0)",
    ),
    (
        'B',
        "[gtd(3.0,2.0),gtd(2.0,2.0),gted(2.0,2.0),gted(1.0,2.0)]",
        "[4](1,0,1,0)",
    ),
    (
        'B',
        "[eqd(2.0,2.0),eqd(1.0,2.0),neqd(2.0,2.0),neqd(1.0,2.0)]",
        "[4](1,0,0,1)",
    ),
    (
        'B',
        "[lted(0.0,roll(0)),ltd(roll(0),1.0),lted(roll(6),6.0)]",
        "[3](1,1,1)",
    ),
    // Truth values, characters, conversions.
    (
        'B',
        "[andb(ff,ff),andb(ff,tt),andb(tt,ff),andb(tt,tt)]",
        "[4](0,0,0,1)",
    ),
    (
        'B',
        "[orb(ff,ff),orb(ff,tt),orb(tt,ff),orb(tt,tt)]",
        "[4](0,1,1,1)",
    ),
    (
        'B',
        "[nandb(ff,ff),nandb(ff,tt),nandb(tt,ff),nandb(tt,tt)]",
        "[4](1,1,1,0)",
    ),
    (
        'B',
        "[norb(ff,ff),norb(ff,tt),norb(tt,ff),norb(tt,tt)]",
        "[4](1,0,0,0)",
    ),
    (
        'B',
        "[xorb(ff,ff),xorb(ff,tt),xorb(tt,ff),xorb(tt,tt)]",
        "[4](0,1,1,0)",
    ),
    (
        'B',
        "[eqb(ff,ff),eqb(ff,tt),eqb(tt,ff),eqb(tt,tt)]",
        "[4](1,0,0,1)",
    ),
    ('B', "[notb(ff),notb(tt)]", "[2](1,0)"),
    (
        'B',
        "[ltc('a','b'),ltc('b','b'),ltec('b','b'),ltec('c','b')]",
        "[4](1,0,1,0)",
    ),
    (
        'B',
        "[gtc('c','b'),gtc('b','b'),gtec('b','b'),gtec('a','b')]",
        "[4](1,0,1,0)",
    ),
    (
        'B',
        "[eqc('a','a'),eqc('a','b'),neqc('a','a'),neqc('a','b')]",
        "[4](1,0,0,1)",
    ),
    ('D', "i2d(-3)", "[](-3.0)"),
    ('I', "[b2i(tt),b2i(ff),b2iV(tt)]", "[3](1,0,1)"),
    // Complex numbers.
    ('X', "[d2x(2.5),injx(2.5)]", "[2](2.5j0.0,0.0j2.5)"),
    (
        'D',
        "[rex(1.5j-2.0),imx(1.5j-2.0),magnx(-3.0j4.0)]",
        "[3](1.5,-2.0,5.0)",
    ),
    (
        'X',
        "[conjx(1.5j-2.0),negx(1.5j-2.0)]",
        "[2](1.5j2.0,-1.5j2.0)",
    ),
    ('X', "expx(1.0j0.0)", "[](2.71828182846j0.0)"),
    (
        'X',
        "[addx(1.0j1.0,0.5j-3.0),subx(1.0j1.0,0.5j-3.0)]",
        "[2](1.5j-2.0,0.5j4.0)",
    ),
    ('X', "mulx(1.0j2.0,-1.0j3.0)", "[](-7.0j1.0)"),
    // Functions of elements.
    ('I', "each{[int,int],[0]}(negi,4)", "[](-4)"),
    ('I', "each{[int,int],[1]}(negi,iota(0))", "[0]()"),
    ('I', "each{[int,int],[1]}(negi,[4])", "[1](-4)"),
    (
        'I',
        "each{[int,int],[2]}(negi,A2)",
        "\n -1 -2 -3\n -4 -5 -6\n",
    ),
    (
        'I',
        "each{[int,int],[3]}(negi,A3)",
        "[2,3,2](-1,-2,-3,-4,-5,-6,-7,-8,-9,-10,-11,-12)",
    ),
    (
        'I',
        "each{[int,int],[4]}(negi,A4)",
        "[2,1,2,2](-1,-2,-3,-4,-5,-6,-7,-8)",
    ),
    ('D', "eachV{[int,double],[1]}(i2d,[7])", "[1](7.0)"),
    ('I', "zipWith{[int,int,int],[0]}(subi,7,9)", "[](-2)"),
    (
        'I',
        "zipWith{[int,int,int],[1]}(subi,iota(0),iota(0))",
        "[0]()",
    ),
    ('I', "zipWith{[int,int,int],[1]}(subi,[7],[9])", "[1](-2)"),
    (
        'I',
        "zipWith{[int,int,int],[3]}(addi,A3,A3)",
        "[2,3,2](2,4,6,8,10,12,14,16,18,20,22,24)",
    ),
    (
        'I',
        "zipWith{[int,int,int],[4]}(subi,A4,A4)",
        "[2,1,2,2](0,0,0,0,0,0,0,0)",
    ),
    // Folds, from the right.
    ('I', "reduce{[int],[0]}(addi,7,iota(0))", "[](7)"),
    ('I', "reduce{[int],[0]}(subi,7,iota(0))", "[](7)"),
    ('I', "reduce{[int],[0]}(addi,7,[5])", "[](5)"),
    ('I', "reduce{[int],[0]}(subi,7,[10,3,2])", "[](9)"),
    ('I', "reduce{[int],[1]}(maxi,0,A2)", "[2](3,6)"),
    (
        'I',
        "reduce{[int],[2]}(muli,1,A3)",
        "\n   2  12  30\n  56  90 132\n",
    ),
    ('I', "reduce{[int],[3]}(addi,0,A4)", "[2,1,2](3,7,11,15)"),
    (
        'D',
        "reduce{[double],[0]}(divd,1.0,reshape{[double],[1,1]}([400],[1e10]))",
        "[](1.0)",
    ),
    (
        'D',
        "reduce{[double],[0]}(divd,1.0,reshape{[double],[1,1]}([399],[1e10]))",
        "[](10000000000.0)",
    ),
    ('I', "reduce{[int],[0]}(subi,0,iota(400))", "[](-200)"),
    (
        'I',
        "reduce{[int],[0]}(fn v1:[int]0 => fn v2:[int]0 => subi(v1,muli(2,v2)),0,[1,2,3])",
        "[](9)",
    ),
    (
        'I',
        "reduce{[int],[0]}(fn v1:[int]0 => fn v2:[int]0 => subi(v1,muli(2,v2)),0,reshape{[int],[1,1]}([4],[1]))",
        "[](-5)",
    ),
    ('I', "scan{[int],[0]}(subi,0,5)", "[](5)"),
    ('I', "scan{[int],[1]}(subi,0,iota(0))", "[0]()"),
    ('I', "scan{[int],[1]}(subi,0,[10])", "[1](10)"),
    ('I', "scan{[int],[1]}(subi,0,[10,3,2])", "[3](10,7,9)"),
    (
        'I',
        "scan{[int],[2]}(subi,0,A2)",
        "\n  1 -1  2\n  4 -1  5\n",
    ),
    (
        'I',
        "scan{[int],[3]}(addi,0,A3)",
        "[2,3,2](1,3,3,7,5,11,7,15,9,19,11,23)",
    ),
    (
        'I',
        "scan{[int],[4]}(addi,0,A4)",
        "[2,1,2,2](1,3,3,7,5,11,7,15)",
    ),
    // Shapes.
    ('I', "iota(0)", "[0]()"),
    ('I', "iota(1)", "[1](1)"),
    ('I', "iotaV(2)", "[2](1,2)"),
    ('I', "shape{[int],[0]}(5)", "[0]()"),
    ('I', "shape{[int],[1]}(iota(0))", "[1](0)"),
    ('I', "shape{[int],[3]}(A3)", "[3](2,3,2)"),
    ('I', "shape{[int],[4]}(A4)", "[4](2,1,2,2)"),
    ('I', "shapeV{[int],[2]}([4,5])", "[1](2)"),
    ('I', "reshape{[int],[0,0]}([],5)", "[](5)"),
    ('I', "reshape{[int],[0,1]}([3],5)", "[3](5,5,5)"),
    ('I', "reshape{[int],[1,2]}([2,2],[1,2,3])", "\n 1 2\n 3 1\n"),
    (
        'I',
        "reshape{[int],[2,4]}([1,2,1,2],A2)",
        "[1,2,1,2](1,2,3,4)",
    ),
    ('I', "reshape{[int],[1,2]}([2,2],iota(0))", "\n 0 0\n 0 0\n"),
    ('I', "reshape{[int],[2,1]}([0],A2)", "[0]()"),
    ('I', "rav{[int],[0]}(5)", "[1](5)"),
    (
        'I',
        "rav{[int],[3]}(A3)",
        "[12](1,2,3,4,5,6,7,8,9,10,11,12)",
    ),
    ('I', "first{[int],[0]}(5)", "[](5)"),
    ('I', "first{[int],[1]}(iota(0))", "[](0)"),
    (
        'I',
        "first{[int],[2]}(reshape{[int],[1,2]}([0,3],[7]))",
        "[](0)",
    ),
    ('I', "first{[int],[3]}(vreverse{[int],[3]}(A3))", "[](7)"),
    ('C', "first{[char],[1]}(zilde{[char],[1]}())", "[]( )"),
    (
        'I',
        "[firstV{[int],[2]}([8,9]),firstV{[int],[0]}(iota(0))]",
        "[2](8,0)",
    ),
    ('I', "mem{[int],[2]}(A2)", "\n 1 2 3\n 4 5 6\n"),
    ('I', "memScl{[int],[]}(5)", "[](5)"),
    ('I', "zilde{[int],[1]}()", "[0]()"),
    // Parts and places.
    ('I', "take{[int],[1]}(2,iota(0))", "[2](0,0)"),
    ('I', "take{[int],[1]}(-1,[7,8])", "[1](8)"),
    ('I', "take{[int],[2]}(3,A2)", "\n 1 2 3\n 4 5 6\n 0 0 0\n"),
    ('I', "take{[int],[3]}(-1,A3)", "[1,3,2](7,8,9,10,11,12)"),
    ('I', "take{[int],[4]}(0,A4)", "[0,1,2,2]()"),
    ('D', "take{[double],[1]}(-3,[1.5])", "[3](0.0,0.0,1.5)"),
    ('B', "take{[bool],[1]}(2,[tt])", "[2](1,0)"),
    (
        'X',
        "take{[complex],[1]}(2,[1.0j2.0])",
        "[2](1.0j2.0,0.0j0.0)",
    ),
    ('I', "takeV{[int],[2]}(2,[7])", "[2](7,0)"),
    ('I', "drop{[int],[1]}(2,iota(0))", "[0]()"),
    ('I', "drop{[int],[1]}(-1,[7,8])", "[1](7)"),
    ('I', "drop{[int],[1]}(9,[7,8])", "[0]()"),
    ('I', "drop{[int],[2]}(-1,A2)", "\n 1 2 3\n"),
    ('I', "drop{[int],[3]}(1,A3)", "[1,3,2](7,8,9,10,11,12)"),
    ('I', "drop{[int],[4]}(-2,A4)", "[0,1,2,2]()"),
    ('I', "dropV{[int],[1]}(1,[7,8])", "[1](8)"),
    ('I', "rotate{[int],[1]}(-1,[1,2,3])", "[3](3,1,2)"),
    ('I', "rotate{[int],[1]}(5,iota(0))", "[0]()"),
    ('I', "rotate{[int],[1]}(5,[9])", "[1](9)"),
    (
        'I',
        "rotate{[int],[3]}(1,A3)",
        "[2,3,2](2,1,4,3,6,5,8,7,10,9,12,11)",
    ),
    (
        'I',
        "rotate{[int],[4]}(-1,A4)",
        "[2,1,2,2](2,1,4,3,6,5,8,7)",
    ),
    ('I', "rotateV{[int],[3]}(-4,[1,2,3])", "[3](3,1,2)"),
    ('I', "vrotate{[int],[2]}(-1,A2)", "\n 4 5 6\n 1 2 3\n"),
    (
        'I',
        "vrotate{[int],[3]}(1,A3)",
        "[2,3,2](7,8,9,10,11,12,1,2,3,4,5,6)",
    ),
    (
        'I',
        "vrotate{[int],[4]}(2,A4)",
        "[2,1,2,2](1,2,3,4,5,6,7,8)",
    ),
    ('I', "vrotateV{[int],[3]}(1,[1,2,3])", "[3](2,3,1)"),
    ('I', "vreverse{[int],[0]}(5)", "[](5)"),
    ('I', "vreverse{[int],[1]}(iota(0))", "[0]()"),
    (
        'I',
        "vreverse{[int],[3]}(A3)",
        "[2,3,2](7,8,9,10,11,12,1,2,3,4,5,6)",
    ),
    ('I', "vreverse{[int],[4]}(A4)", "[2,1,2,2](5,6,7,8,1,2,3,4)"),
    ('I', "vreverseV{[int],[1]}([4])", "[1](4)"),
    ('I', "transp{[int],[0]}(5)", "[](5)"),
    ('I', "transp{[int],[1]}([4,5])", "[2](4,5)"),
    ('I', "transp{[int],[2]}(A2)", "\n 1 4\n 2 5\n 3 6\n"),
    (
        'I',
        "transp{[int],[3]}(A3)",
        "[2,3,2](1,7,3,9,5,11,2,8,4,10,6,12)",
    ),
    ('I', "transp{[int],[4]}(A4)", "[2,2,1,2](1,5,3,7,2,6,4,8)"),
    ('I', "transp2{[int],[1]}([1],[4,5])", "[2](4,5)"),
    ('I', "transp2{[int],[2]}([2,1],A2)", "\n 1 4\n 2 5\n 3 6\n"),
    (
        'I',
        "transp2{[int],[3]}([2,1,3],A3)",
        "[3,2,2](1,2,7,8,3,4,9,10,5,6,11,12)",
    ),
    (
        'I',
        "transp2{[int],[4]}([2,1,4,3],A4)",
        "[1,2,2,2](1,3,2,4,5,7,6,8)",
    ),
    ('I', "cat{[int],[1]}(iota(0),iota(0))", "[0]()"),
    ('I', "cat{[int],[1]}(iota(0),[5])", "[1](5)"),
    (
        'I',
        "cat{[int],[2]}(A2,A2)",
        "\n 1 2 3 1 2 3\n 4 5 6 4 5 6\n",
    ),
    (
        'I',
        "cat{[int],[3]}(A3,A3)",
        "[2,3,4](1,2,1,2,3,4,3,4,5,6,5,6,7,8,7,8,9,10,9,10,11,12,11,12)",
    ),
    ('I', "catV{[int],[1,2]}([1],[2,3])", "[3](1,2,3)"),
    ('I', "cons{[int],[0]}(7,iota(0))", "[1](7)"),
    ('I', "cons{[int],[1]}([8,9],A2)", "\n 8 1 2 3\n 9 4 5 6\n"),
    (
        'I',
        "cons{[int],[2]}(A2,A3)",
        "[2,3,3](1,1,2,2,3,4,3,5,6,4,7,8,5,9,10,6,11,12)",
    ),
    ('I', "consV{[int],[2]}(9,[1,2])", "[3](9,1,2)"),
    ('I', "snoc{[int],[0]}([7],8)", "[2](7,8)"),
    (
        'I',
        "snoc{[int],[2]}(A3,A2)",
        "[2,3,3](1,2,1,3,4,2,5,6,3,7,8,4,9,10,5,11,12,6)",
    ),
    ('I', "snocV{[int],[0]}(iota(0),9)", "[1](9)"),
    ('I', "idxS{[int],[0]}(1,1,[7])", "[](7)"),
    ('I', "idxS{[int],[1]}(2,3,A2)", "[2](3,6)"),
    ('I', "idxS{[int],[2]}(3,2,A3)", "\n  2  4  6\n  8 10 12\n"),
    ('I', "idxS{[int],[2]}(2,3,A3)", "\n  5  6\n 11 12\n"),
    ('I', "idxS{[int],[3]}(1,2,A4)", "[1,2,2](5,6,7,8)"),
    // Orders and numbers that data decide.
    (
        'I',
        "compress{[int],[1]}(zilde{[bool],[1]}(),iota(0))",
        "[0]()",
    ),
    ('I', "compress{[int],[1]}([tt],[7])", "[1](7)"),
    ('I', "compress{[int],[1]}([ff,ff],[7,8])", "[0]()"),
    ('I', "compress{[int],[1]}([ff,tt,tt],[7,8,9])", "[2](8,9)"),
    ('I', "replicate{[int],[1]}(0,iota(0),iota(0))", "[0]()"),
    ('I', "replicate{[int],[1]}(0,[0],[7])", "[0]()"),
    ('I', "replicate{[int],[1]}(0,[-1],[7])", "[1](0)"),
    (
        'I',
        "replicate{[int],[1]}(0,[1,-2,2],[7,8,9])",
        "[5](7,0,0,9,9)",
    ),
    ('I', "gradeUp{[int],[]}(iota(0))", "[0]()"),
    ('I', "gradeUp{[int],[]}([7])", "[1](1)"),
    ('I', "gradeUp{[int],[]}([5,-1,5,0])", "[4](2,4,1,3)"),
    ('I', "gradeDown{[int],[]}([5,-1,5,0])", "[4](1,3,4,2)"),
    ('I', "gradeUp{[bool],[]}([tt,ff,tt,ff])", "[4](2,4,1,3)"),
    ('I', "gradeDown{[double],[]}([1.5,-2.0,1.5])", "[3](1,3,2)"),
    // Loops, choices, tuples, updates.
    (
        'I',
        "power{[int],[1]}(fn v1:[int]1 => rotate{[int],[1]}(1,v1),0,[1,2,3])",
        "[3](1,2,3)",
    ),
    (
        'I',
        "power{[int],[1]}(fn v1:[int]1 => rotate{[int],[1]}(1,v1),4,[1,2,3])",
        "[3](2,3,1)",
    ),
    (
        'I',
        "power{[int],[2]}(fn v1:[int]2 => vreverse{[int],[2]}(v1),3,A2)",
        "\n 4 5 6\n 1 2 3\n",
    ),
    (
        'I',
        "power{[int],[1]}(fn v1:[int]1 => snoc{[int],[0]}(v1,8),3,iota(0))",
        "[3](8,8,8)",
    ),
    (
        'I',
        "Prj(1,power{[int,int],[0,0]}(fn v1:([int]0 * [int]0) => (Prj(1,v1),addi(Prj(0,v1),Prj(1,v1))),9,(0,1)))",
        "[](55)",
    ),
    (
        'I',
        "powerScl{[int],[]}(fn v1:[int]0 => addi(v1,3),0,1)",
        "[](1)",
    ),
    (
        'I',
        "powerScl{[int],[]}(fn v1:[int]0 => addi(v1,3),100,1)",
        "[](301)",
    ),
    (
        'I',
        "[condScl{[int],[]}(negi,tt,4),condScl{[int],[]}(negi,ff,4)]",
        "[2](-4,4)",
    ),
    (
        'I',
        "let mv1:[int]1 = [4] in let v2:[bool]0 = idxassign([1],mv1,5) in mv1",
        "[1](5)",
    ),
    (
        'I',
        "let mv1:[int]2 = A2 in let v2:[bool]0 = idxassign([2,3],mv1,9) in mv1",
        "\n 1 2 3\n 4 5 9\n",
    ),
    (
        'I',
        "let mv1:[int]4 = A4 in let v2:[bool]0 = idxassign([2,1,1,2],mv1,9) in mv1",
        "[2,1,2,2](1,2,3,4,5,9,7,8)",
    ),
    // Texts and effects.
    ('C', "formatI(-12)", "-12"),
    ('C', "formatD(0.5)", "0.5"),
    ('C', "formatX(0.5j-2.0)", "0.5j-2.0"),
    ('C', "readFile(['q'])", "4, -5\\n~6\\n"),
    ('I', "readIntVecFile(['q'])", "[3](4,-5,-6)"),
    ('D', "readDoubleVecFile(['q'])", "[3](4.0,-5.0,-6.0)"),
    ('I', "prArrI(prSclI(5))", "[](5)\n[](5)\n[](5)"),
    ('D', "prArrD(prSclD(0.5))", "[](0.5)\n[](0.5)\n[](0.5)"),
    ('B', "prArrB(prSclB(tt))", "[](1)\n[](1)\n[](1)"),
    ('C', "prArrC(prSclC('x'))", "[](x)\n[](x)\n[](x)"),
    (
        'X',
        "prArrX(prSclX(1.0j2.0))",
        "[](1.0j2.0)\n[](1.0j2.0)\n[](1.0j2.0)",
    ),
    ('I', "prArrI(iota(0))", "[0]()\n[0]()"),
];

fn written_out(expression: &str) -> String {
    let arrays = [
        ("A2", "reshape{[int],[1,2]}([2,3],iota(6))"),
        ("A3", "reshape{[int],[1,3]}([2,3,2],iota(12))"),
        ("A4", "reshape{[int],[1,4]}([2,1,2,2],iota(8))"),
    ];
    let with = |text: String, (name, array): (&str, &str)| text.replace(name, array);
    arrays.into_iter().fold(expression.to_owned(), with)
}

/// The type of an expression, by the last thing that it prints.
fn ty(letter: char, printed: &str) -> String {
    let bases = [
        ('I', "int"),
        ('D', "double"),
        ('B', "bool"),
        ('C', "char"),
        ('X', "complex"),
    ];
    let base = bases
        .iter()
        .find(|(own, _)| *own == letter)
        .expect("a letter")
        .1;
    let shape = printed
        .lines()
        .last()
        .and_then(|line| line.strip_prefix('['));
    let shape = shape
        .and_then(|line| line.split_once(']'))
        .map(|(shape, _)| shape);
    let rank = match shape {
        _ if printed.starts_with('\n') => 2,
        Some("") => 0,
        Some(shape) => shape.split(',').count(),
        None => 1,
    };
    format!("[{base}]{rank}")
}

#[test]
fn each_row_prints_its_output() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("primitives");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("q"), "4, -5\n~6\n").unwrap();
    let mut wrong = Vec::new();
    for (letter, expression, expected) in ROWS {
        let (ty, own) = (ty(*letter, expected), written_out(expression));
        let text = format!("let v99:{ty} = prArr{letter}({own}) in 0.0");
        let wanted = format!("{expected}\n[](0.0)\n");
        let program = tail::parse::parse(&text).expect(&text);
        if let Err(mistake) = tail::types::check(&program) {
            wrong.push(mistake.shown(expression, &text));
            continue;
        }
        let settings = Settings {
            folder: folder.clone(),
            ..Settings::default()
        };
        let evaluated = evaluate(&program, &settings).map(|outcome| outcome.text());
        let ran = |program| run_on(&Device::cpu(), program, &text, &folder);
        let (known, stored) = (ran(&program), ran(&opaque(&program)));
        for (how, printed) in [("evaluated", evaluated), ("run", known), ("stored", stored)] {
            if let Err(error) = printed.and_then(|printed| compared(&printed, &wanted)) {
                wrong.push(format!("{how}: {expression}: {error}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_primitive_has_a_row() {
    let mut shown = BTreeSet::new();
    for (_, expression, _) in ROWS {
        let tokens = tokens(&written_out(expression)).expect(expression);
        for (token, _) in tokens {
            if let Token::Word(word) = token {
                shown.insert(word);
            }
        }
    }
    // The rows print by these.
    let all = SIGNATURES.keys().chain(&OTHERS);
    let missing: Vec<&&str> = all.filter(|name| !shown.contains(**name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(SIGNATURES.len() > 110);
}
